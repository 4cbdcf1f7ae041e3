/** Adds content at the end of an element. The types of Workers, which this project has too, hide the page's `append`. */
export function add(parent: Node, ...content: (Node | string)[]): void {
  for (const part of content) parent.appendChild(typeof part === "string" ? document.createTextNode(part) : part);
}

/** Creates an element with these properties and content. Text is never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  add(made, ...content);
  return made;
}
