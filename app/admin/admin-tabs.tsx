import { PROGRESS_PATH } from "./progress/progress-view.ts";
import { TABS, USERS } from "./tabs.ts";
import { hrefOf, type View } from "./view.ts";

/** The lists of the admin page, and the list of progress, which is a page of its own. */
export function AdminTabs({ view, current }: { view: Omit<View, "tab">; current: string }) {
  const link = (name: string, href: string, label: string) => (
    <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
      {label}
    </a>
  );
  return (
    <nav aria-label="Lists">
      {TABS.map(({ name, texts }) =>
        link(
          name,
          hrefOf({ ...view, tab: name, before: null, ...(name === USERS.name && { userId: null }) }),
          texts.label,
        ),
      )}
      {link("progress", PROGRESS_PATH, "Progress")}
    </nav>
  );
}
