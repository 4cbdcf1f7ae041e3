/*
 * A browser that translates a page puts other nodes in the place of its texts, and may move elements into them. React keeps
 * the nodes that it made: it would change a text that the page no longer shows, and throw where it removes one, or inserts
 * before one. Here its calls apply to what the page shows instead.
 */

/** The nodes in place of removed ones. */
const standIns = new WeakMap<Node, ChildNode>();

/** Notes which node has replaced which. */
function noteChanges(records: MutationRecord[]): void {
  const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const node of added) standIns.delete(node);
  for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    // React has changed a text: the page shows it again, until it is translated again.
    if (type === "characterData") shownFor(target)?.replaceWith(target);
    const near = [...addedNodes, previousSibling, nextSibling].find((node) => node && added.has(node));
    for (const node of removedNodes) {
      if (node.isConnected || !near) continue;
      standIns.set(node, near as ChildNode); // a child that was added
      if (node instanceof Text) observer.observe(node, { characterData: true });
    }
  }
}

const observer = new MutationObserver(noteChanges);

/** Returns the node that the page shows for one that was replaced; undefined for one that was not. */
function shownFor(node: Node): ChildNode | undefined {
  let shown = standIns.get(node);
  while (shown && !shown.isConnected) shown = standIns.get(shown);
  return shown;
}

/** The node or what the page shows for it, if that is inside `parent`. */
function within(parent: Node, node: Node): ChildNode | undefined {
  noteChanges(observer.takeRecords());
  const shown = node.isConnected ? (node as ChildNode) : shownFor(node); // one that is in a page has a parent
  return shown && parent.contains(shown) ? shown : undefined;
}

const { removeChild, insertBefore } = Node.prototype;

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  if (child.parentNode === this) return removeChild.call(this, child) as Child; // it returns its argument
  within(this, child)?.remove();
  return child;
};

Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, before: Node | null): Child {
  if (node instanceof Text && !node.isConnected) shownFor(node)?.remove(); // it is moved
  let place = before;
  if (before && before.parentNode !== this) {
    place = within(this, before) ?? null;
    while (place && place.parentNode !== this) place = place.parentNode;
  }
  return insertBefore.call(this, node, place) as Child; // it returns its argument
};

/**
 * Lets React change an island whose texts are translated. Call it before the island is hydrated: where it was
 * translated before, React makes new elements. The returned function then fills them with the text that was typed in
 * the old ones.
 */
export function keepTranslated(island: HTMLElement): () => void {
  observer.observe(island, { childList: true, subtree: true });
  const fields = () => [...island.querySelectorAll<HTMLInputElement>("input,select,textarea")]; // of selects what inputs have, too
  const before = fields();
  const focused = before.findIndex((field) => field.matches(":focus"));
  return () => {
    if (before[0]?.isConnected !== false) return;
    for (const [index, field] of fields().entries()) {
      const old = before[index];
      if (old?.name !== field.name) continue;
      const isBox = field.type === "radio" || field.type === "checkbox";
      if (isBox ? old.checked !== field.checked : old.value !== field.value) {
        if (isBox) field.checked = old.checked;
        else field.value = old.value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (index === focused) field.focus();
    }
  };
}
