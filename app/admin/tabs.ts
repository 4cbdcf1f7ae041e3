import { KINDS } from "#app/records/all-kinds.ts";
import type { Kind } from "#app/records/kind.ts";

/** A list of the admin page (spec section 2): users, or the records of one kind. */
export interface Tab {
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
