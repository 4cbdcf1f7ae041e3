import { oneLine } from "#app/plain-text.ts";
import type { Kind } from "#app/records/kinds.ts";
import { parseId } from "#app/server/id.ts";
import { tabNamed, USERS } from "./tabs.ts";

/** What the admin page shows; all of it is in its address. */
export interface View {
  /** The name of the tab. */
  tab: string;
  /** What is searched for, as it was typed. */
  search: string;
  /** Whose records alone are shown; everybody's without one. A list of users knows nothing of it. */
  userId: number | null;
  /** The list begins behind the row with this id; from its beginning without one. */
  before: number | null;
}

/** The longest text that is searched for, in UTF-16 units: normalizing it takes time quadratic in its length. */
const SEARCH_MAX = 200;

/** Reads the address of the admin page. */
export function viewAt({ searchParams }: URL): View {
  const { name: tab } = tabNamed(searchParams.get("tab"));
  return {
    tab,
    search: oneLine(searchParams.get("search") ?? "").slice(0, SEARCH_MAX),
    userId: (tab !== USERS.name && parseId(searchParams.get("user"))) || null,
    before: parseId(searchParams.get("before")) || null,
  };
}

/** The address of a view, and of the dialog about the row `deleted` in front of it. */
export function hrefOf(view: View, deleted?: number): string {
  const params = new URLSearchParams(paramsOf(view));
  if (deleted !== undefined) params.set("delete", String(deleted));
  return params.size > 0 ? `/admin?${params}` : "/admin";
}

/** The address of all records of one kind of a user, newest first. */
export function recordsHref({ adminTab: tab }: Kind, userId: number): string {
  return hrefOf({ tab, search: "", userId, before: null });
}

/** What of a view differs from the page's beginning, as the parameters of its address. */
export function paramsOf({ tab, search, userId, before }: View): [name: string, value: string][] {
  const all: [string, string][] = [
    ["tab", tab === USERS.name ? "" : tab],
    ["search", search],
    ["user", userId === null ? "" : String(userId)],
    ["before", before === null ? "" : String(before)],
  ];
  return all.filter(([, value]) => value !== "");
}
