import { displayName } from "#app/accounts/user.ts";
import { KINDS, type Kind } from "#app/records/kinds.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { OwnedRecord, UserWithCounts } from "./lists.server.ts";
import type { AdminPage } from "./page.server.ts";
import { tabNamed } from "./tabs.ts";
import { hrefOf, type View } from "./view.ts";

/** Asks for confirmation before a row is deleted, and lists what is deleted with it. */
export function DeleteDialog({ view, page }: { view: View; page: AdminPage }) {
  if (!page.target) return null;
  const { kind, texts } = tabNamed(view.tab);
  return (
    <Dialog title={`Delete ${texts.one}`} closeHref={hrefOf(view)}>
      {"users" in page && <UserFacts user={page.target} />}
      {"records" in page && kind && <RecordFacts kind={kind} record={page.target} />}
      <p>This cannot be undone.</p>
      <form method="post" action={hrefOf(view, page.target.id)} className="row">
        <a href={hrefOf(view)}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete {texts.one}
        </button>
      </form>
    </Dialog>
  );
}

function UserFacts({ user }: { user: UserWithCounts }) {
  const counts = [
    ...KINDS.map(({ name, adminTexts: { counted } }) => countText(user.counts[name] ?? 0, counted)),
    countText(user.counts.supervisors ?? 0, ["supervisor", "supervisors"]),
  ];
  return (
    <>
      <p>
        <b dir="auto">{user.name || "New User"}</b>, {user.email}
      </p>
      <p>
        Deleting a user also deletes that user's entries. This also deletes {counts.slice(0, -1).join(", ")} and{" "}
        {counts.at(-1)}.
      </p>
    </>
  );
}

function RecordFacts({ kind, record }: { kind: Kind; record: OwnedRecord }) {
  return (
    <>
      <p>
        {kind.summary(record)}, of <b dir="auto">{displayName(record.user)}</b>
      </p>
      <p>
        {record.verifiedBy ? (
          <>
            Verified by <bdi>{record.verifiedBy}</bdi>. {kind.adminTexts.losesVerification}
          </>
        ) : (
          kind.adminTexts.losesLink
        )}
      </p>
    </>
  );
}

function countText(count: number, [one, many]: readonly [string, string]): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
