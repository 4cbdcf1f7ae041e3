import { oneLine } from "#app/plain-text.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import type { Kind } from "#app/records/kind.ts";
import { parseId } from "#app/server/query.ts";
import { PROGRESS_PATH } from "./progress/progress-view.ts";

/** A list of the admin page (spec section 2): users, or the records of one kind. */
interface Tab {
  /** The value of `?tab=`. */
  name: string;
  /** Null for the list of users. */
  kind: Kind | null;
  texts: Pick<Kind["adminTexts"], "label" | "one" | "many" | "hint" | "missing"> & { deleted: string };
}

export const USERS: Tab = {
  name: "users",
  kind: null,
  texts: {
    label: "Users",
    one: "user",
    many: "users",
    hint: "By name, email or employee number.",
    missing: "There is no such user.",
    deleted: "User deleted",
  },
};

export const TABS: readonly Tab[] = [
  USERS,
  ...KINDS.map((kind) => ({
    name: kind.adminTab,
    kind,
    texts: { ...kind.adminTexts, deleted: kind.texts.deleted },
  })),
];

/** The tab with this name; the list of users for an unknown name. */
export function tabNamed(name: string | null): Tab {
  return TABS.find((tab) => tab.name === name) ?? USERS;
}

/** The state of the admin page, all of which is in its URL. */
export interface View {
  tab: string;
  search: string;
  /** The user whose records are listed; null for all users. The list of users ignores it. */
  userId: number | null;
  /** The list starts after the row with this id; null for the first page. */
  before: number | null;
  /** Whether the list has the records that were deleted and can be restored, in place of those that exist. */
  isDeleted: boolean;
}

/** The state of the page of a list as it is without search: all of it, from the start. */
const WHOLE = { search: "", userId: null, before: null, isDeleted: false };

/** The longest text that is searched for, in UTF-16 units: normalizing it takes time quadratic in its length. */
export const SEARCH_MAX = 200;

export function viewAt({ searchParams }: URL): View {
  const { name: tab, kind } = tabNamed(searchParams.get("tab"));
  const userId = (kind && parseId(searchParams.get("user"))) || null;
  // Deleted records leave the list within a day: it needs no search and no pages.
  if (kind && searchParams.get("status") === "deleted") return { ...WHOLE, tab, userId, isDeleted: true };
  return {
    ...WHOLE,
    tab,
    search: oneLine(searchParams.get("search") ?? "").slice(0, SEARCH_MAX),
    userId,
    before: parseId(searchParams.get("before")) || null,
  };
}

/** Whether a URL names no list, or one that exists: the page shows the users in place of an unknown one, and says so. */
export function hasKnownTab({ searchParams }: URL): boolean {
  const name = searchParams.get("tab");
  return !name || tabNamed(name).name === name;
}

/** The URL of a view, with the dialog that deletes the row `deleted`. */
export function hrefOf(view: View, deleted?: number): string {
  const params = new URLSearchParams(paramsOf(view));
  if (deleted !== undefined) params.set("delete", String(deleted));
  return params.size > 0 ? `/admin?${params}` : "/admin";
}

/** The URL of all users' records of a kind. */
export function listHref({ adminTab: tab }: Kind): string {
  return hrefOf({ ...WHOLE, tab });
}

/** The URL of the records of a kind that were deleted and can be restored. */
export function deletedHref({ adminTab: tab }: Kind): string {
  return hrefOf({ ...WHOLE, tab, isDeleted: true });
}

/** The URL of one user's records of a kind. */
export function recordsHref({ adminTab: tab }: Kind, userId: number): string {
  return hrefOf({ ...WHOLE, tab, userId });
}

/** The URL parameters of a view that differ from the defaults. */
export function paramsOf({ tab, search, userId, before, isDeleted }: View): [name: string, value: string][] {
  const all: [string, string][] = [
    ["tab", tab === USERS.name ? "" : tab],
    ["search", search],
    ["user", userId === null ? "" : String(userId)],
    ["before", before === null ? "" : String(before)],
    ["status", isDeleted ? "deleted" : ""],
  ];
  return all.filter(([, value]) => value !== "");
}

/** The page of the state of the system. */
export const SYSTEM_PATH = "/admin/system";

/** The page of a user, or the one that asks before an act. */
export function personHref(id: number, act?: string): string {
  return act ? `/admin/user/${id}/${act}` : `/admin/user/${id}`;
}

/** The records that are deleted with a user, from the numbers of `findUserWithCounts`. */
export function deletedWith(counts: Record<string, number>): string {
  const text = (count: number, [one, many]: readonly [string, string]) =>
    `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  const all = KINDS.map(({ name, adminTexts: { counted } }) => text(counts[name] ?? 0, counted)).join(", ");
  const supervisors = text(counts.supervisors ?? 0, ["supervisor", "supervisors"]);
  return `Deleting a user also deletes that user's entries. This also deletes ${all} and ${supervisors}.`;
}

/** The lists of the admin page, and the list of progress and the state of the system, which are pages of their own. */
export function AdminTabs({ view = WHOLE, current }: { view?: Omit<View, "tab">; current: string }) {
  const link = (name: string, href: string, label: string) => (
    <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
      {label}
    </a>
  );
  return (
    <nav aria-label="Lists" id="tabs">
      {TABS.map(({ name, texts }) =>
        link(
          name,
          hrefOf({ ...view, tab: name, before: null, isDeleted: false, ...(name === USERS.name && { userId: null }) }),
          texts.label,
        ),
      )}
      {link("progress", PROGRESS_PATH, "Progress")}
      {link("system", SYSTEM_PATH, "System")}
    </nav>
  );
}
