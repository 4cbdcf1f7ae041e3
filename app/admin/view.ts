import { idFrom } from "#app/http/id.ts";

export type Tab = "users" | "entries";

/** What the admin page shows; all of it is in its address. */
export interface View {
  tab: Tab;
  /** What is searched for, as it was typed. */
  search: string;
  /** The list begins behind the row with this id; from its beginning without one. */
  before: number | null;
}

/** Reads the address of the admin page. */
export function viewAt({ searchParams }: URL): View {
  return {
    tab: searchParams.get("tab") === "entries" ? "entries" : "users",
    search: searchParams.get("search")?.trim() ?? "",
    before: idFrom(searchParams.get("before")) || null,
  };
}

/** The address of a view, and of the dialog about the row `deleted` in front of it. */
export function hrefOf(view: View, deleted?: number): string {
  const params = new URLSearchParams(paramsOf(view));
  if (deleted !== undefined) params.set("delete", String(deleted));
  return params.size > 0 ? `/admin?${params}` : "/admin";
}

/** What of a view differs from the page's beginning, as the parameters of its address. */
export function paramsOf({ tab, search, before }: View): [name: string, value: string][] {
  const all: [string, string][] = [
    ["tab", tab === "users" ? "" : tab],
    ["search", search],
    ["before", before === null ? "" : String(before)],
  ];
  return all.filter(([, value]) => value !== "");
}
