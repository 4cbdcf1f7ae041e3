import { Dialog } from "#app/ui/dialog.tsx";
import type { Target } from "./targets.table.ts";

/** Asks for confirmation before a target is deleted. */
export function DeleteTargetDialog({
  target: { id, title, items },
}: {
  target: Pick<Target, "id" | "title" | "items">;
}) {
  const path = `/progress/targets/${id}`;
  return (
    <Dialog title="Delete Target" closeHref={path}>
      <p>
        <b>{title}</b>, {items.length === 1 ? "1 item" : `${items.length} items`}
      </p>
      <p>Your hours stay as they are. Only the target and its figures are deleted.</p>
      <form method="post" action={`${path}/delete`} className="row">
        <a href={path}>Cancel</a>
        <button type="submit" className="danger" data-busy="Deleting...">
          Delete Target
        </button>
      </form>
    </Dialog>
  );
}
