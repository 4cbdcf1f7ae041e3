/**
 * Just enough HTML to use our own pages as a browser without JavaScript does. It reads HTML as React writes it (no
 * nested forms, every element closed) and the rows of the log, and not HTML in general.
 */

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&([a-z]+|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** Returns the attributes of an opening tag. One without a value is the empty string. */
export function attributesOf(tag: string): Record<string, string> {
  const inside = tag.replace(/^<[\w-]+/, "");
  return Object.fromEntries(
    [...inside.matchAll(/([\w:-]+)(?:=(?:"([^"]*)"|([^\s">]+)))?/g)].map(([, name, quoted, bare]) => [
      name,
      unescapeHtml(quoted ?? bare ?? ""),
    ]),
  );
}

/** Returns the visible text in one line: no tags, scripts or styles. */
export function textOf(html: string): string {
  const visible = html.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, " ").replace(/<!--[\s\S]*?-->|<\/?bdi>/g, "");
  return unescapeHtml(visible.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns the texts of all elements with this tag name and optionally a piece of the opening tag: `p`, `class="wrong"`.
 */
export function textsOf(page: string, tag: string, having = ""): string[] {
  const html = withoutScripts(page);
  return [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>`, "g"))]
    .filter(([opening]) => opening.includes(having))
    .map(({ index }) => textOf(elementAt(html, index, tag)));
}

/** A script may contain HTML that is not part of the page. */
function withoutScripts(html: string): string {
  return html.replace(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/g, "$1$2");
}

/** Returns the element that begins at this index, up to its own closing tag and not that of a nested element. */
function elementAt(html: string, start: number, tag: string): string {
  const ends = new RegExp(`<(/?)${tag}\\b[^>]*>`, "g");
  ends.lastIndex = start;
  for (let depth = 0, match = ends.exec(html); match; match = ends.exec(html)) {
    depth += match[1] ? -1 : 1;
    if (depth === 0) return html.slice(start, ends.lastIndex);
  }
  throw new Error(`the page has a <${tag}> that never ends`);
}

/** Returns the attributes of each opening tag with this name. */
export function tagsOf(html: string, tag: string): Record<string, string>[] {
  return [...withoutScripts(html).matchAll(new RegExp(`<${tag}\\b[^>]*>`, "g"))].map(([found]) => attributesOf(found));
}

/** Returns the error of a field, found as a screen reader finds it; null if there is none. */
export function messageOf(html: string, name: string): string | null {
  const control = ["input", "select", "textarea"].flatMap((tag) => tagsOf(html, tag)).find((tag) => tag.name === name);
  if (!control) throw new Error(`the page has no field ${name}`);
  const id = control["aria-describedby"];
  if (!id) return null;
  if (control["aria-invalid"] !== "true") throw new Error(`the field ${name} has a message and is not invalid`);
  const message = [...html.matchAll(/<p\b[^>]*>[\s\S]*?<\/p>/g)].find(
    ([element]) => attributesOf(element.slice(0, element.indexOf(">"))).id === id,
  );
  if (!message) throw new Error(`the page has no element ${id}`);
  return textOf(message[0]);
}

interface Button {
  label: string;
  name: string | undefined;
  value: string;
  disabled: boolean;
}

export interface Form {
  /** The form's action. */
  action: string;
  method: string;
  /** The values of the page as it is, before any input. */
  fields: Map<string, string>;
  buttons: Button[];
  /** Returns the values to send after filling in `fields` and pressing the button with this text, or else Enter. */
  values(fields: Record<string, string>, button?: string): URLSearchParams;
}

/** Returns the form of a page that posts to this address, or to one below it: `/profile/entries/{key}`. */
export function formIn(html: string, action: string): Form {
  const found = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([form]) => form)
    .find((form) => `${actionOf(form)}/`.startsWith(`${action}/`));
  if (!found) throw new Error(`the page has no form to ${action}: ${textOf(html).slice(0, 300)}`);
  const fields = fieldsIn(found);
  const { id } = attributesOf(found.slice(0, found.indexOf(">")));
  const buttons = [...found.matchAll(/(<button\b[^>]*>)([\s\S]*?)<\/button>/g)]
    .map(([, tag = "", inside = ""]) => ({ tag: attributesOf(tag), label: textOf(inside) }))
    // One that names another form belongs to that.
    .filter(({ tag }) => tag.type !== "button" && (tag.form === undefined || tag.form === id))
    .map(({ tag, label }) => ({
      label: tag["aria-label"] ?? label,
      name: tag.name,
      value: tag.value ?? "",
      disabled: "disabled" in tag,
    }));
  return {
    action: actionOf(found) ?? "",
    method: attributesOf(found.slice(0, found.indexOf(">"))).method ?? "get",
    fields,
    buttons,
    values(filled, label) {
      const boxes = new Set(tagsOf(found, "input").flatMap(({ type, name }) => (type === "checkbox" ? [name] : [])));
      const unknown = Object.keys(filled).filter((name) => !fields.has(name) && !boxes.has(name));
      if (unknown.length > 0) throw new Error(`the form to ${action} has no field ${unknown.join(", ")}`);
      const values = new URLSearchParams({ ...Object.fromEntries(fields), ...filled });
      const button = label === undefined ? buttons[0] : buttons.find((one) => one.label === label);
      if (!button || button.disabled) throw new Error(`the form to ${action} has no button ${label} to press`);
      if (button.name) values.append(button.name, button.value);
      return values;
    },
  };
}

function actionOf(form: string): string | undefined {
  return attributesOf(form.slice(0, form.indexOf(">"))).action;
}

function fieldsIn(form: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [element] of form.matchAll(/<input\b[^>]*>|<(select|textarea)\b[^>]*>[\s\S]*?<\/\1>/g)) {
    const tag = attributesOf(element.slice(0, element.indexOf(">")));
    if (!tag.name || "disabled" in tag) continue;
    if (element.startsWith("<select")) {
      const options = tagsOf(element, "option").map((option, index) => ({
        value: option.value ?? textsOf(element, "option")[index] ?? "",
        selected: "selected" in option,
      }));
      fields.set(tag.name, (options.find(({ selected }) => selected) ?? options[0])?.value ?? "");
    } else if (element.startsWith("<textarea")) {
      // A browser drops a line break right after the tag, and sends CR and LF for every other.
      const text = element.slice(element.indexOf(">") + 1, -"</textarea>".length).replace(/^\r?\n/, "");
      fields.set(tag.name, unescapeHtml(text).replace(/\r?\n/g, "\r\n"));
    } else if (tag.type !== "radio" && tag.type !== "checkbox") {
      fields.set(tag.name, tag.value ?? "");
    } else if ("checked" in tag) {
      fields.set(tag.name, tag.value ?? "on");
    }
  }
  return fields;
}
