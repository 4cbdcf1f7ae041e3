import { oneLine } from "#app/db/plain-text.ts";
import { idFrom } from "#app/server/id.ts";
import { TABS, type Tab } from "./tabs.ts";

/** What the admin page shows; all of it is in its address. */
export interface View {
  tab: Tab;
  /** What is searched for, as it was typed. */
  search: string;
  /** Whose records alone are shown; everybody's without one. A list of users knows nothing of it. */
  userId: number | null;
  /** The list begins behind the row with this id; from its beginning without one. */
  before: number | null;
}

/** Reads the address of the admin page. */
export function viewAt({ searchParams }: URL): View {
  const tab = TABS.find((name) => name === searchParams.get("tab")) ?? "users";
  return {
    tab,
    search: oneLine(searchParams.get("search") ?? ""),
    userId: (tab !== "users" && idFrom(searchParams.get("user"))) || null,
    before: idFrom(searchParams.get("before")) || null,
  };
}

/** The address of a view, and of the dialog about the row `deleted` in front of it. */
export function hrefOf(view: View, deleted?: number): string {
  const params = new URLSearchParams(paramsOf(view));
  if (deleted !== undefined) params.set("delete", String(deleted));
  return params.size > 0 ? `/admin?${params}` : "/admin";
}

/** The address of all records of one kind of a user, newest first. */
export function recordsHref(tab: Exclude<Tab, "users">, userId: number): string {
  return hrefOf({ tab, search: "", userId, before: null });
}

/** What of a view differs from the page's beginning, as the parameters of its address. */
export function paramsOf({ tab, search, userId, before }: View): [name: string, value: string][] {
  const all: [string, string][] = [
    ["tab", tab === "users" ? "" : tab],
    ["search", search],
    ["user", userId === null ? "" : String(userId)],
    ["before", before === null ? "" : String(before)],
  ];
  return all.filter(([, value]) => value !== "");
}
