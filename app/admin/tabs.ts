/** The lists of the admin screen (spec section 2, and rope hours beside them), as its address names them. */
export const TABS = ["users", "entries", "rope-hours"] as const;
export type Tab = (typeof TABS)[number];

interface TabTexts {
  label: string;
  /** One of them, as a button and a message name it, and several. */
  one: string;
  many: string;
  /** What the search looks through. */
  hint: string;
  /** Of an id that none of them has. */
  missing: string;
  deleted: string;
}

/** What differs between the lists in words. */
export const TAB_TEXTS: Record<Tab, TabTexts> = {
  users: {
    label: "Users",
    one: "user",
    many: "users",
    hint: "By name, email or employee number.",
    missing: "There is no such user.",
    deleted: "User deleted",
  },
  entries: {
    label: "Entries",
    one: "entry",
    many: "entries",
    hint: "By location, method or who verified.",
    missing: "There is no such entry.",
    deleted: "Entry deleted",
  },
  "rope-hours": {
    label: "Rope Hours",
    one: "rope hours",
    many: "rope hours",
    hint: "By location, skills or who verified.",
    missing: "There are no such rope hours.",
    deleted: "Rope hours deleted",
  },
};
