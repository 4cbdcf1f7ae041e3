import { displayName } from "#app/accounts/user.ts";
import type { OwnedEntry } from "./lists.server.ts";
import type { Tab } from "./tabs.ts";
import { recordsHref } from "./view.ts";

/** The cells that rows of several lists have. */

/** Whose record it is, with the way to all of theirs. */
export function OwnerCell({ tab, user }: { tab: Exclude<Tab, "users">; user: OwnedEntry["user"] }) {
  return (
    <td>
      <a href={recordsHref(tab, user.id)}>{displayName(user)}</a>
    </td>
  );
}

/** The button that asks about a deletion: it leads to the dialog. */
export function DeleteCell({ id }: { id: number }) {
  return (
    <td className="full">
      <button name="delete" value={id} type="submit">
        Delete
      </button>
    </td>
  );
}
