import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { closeExport, exportTitle, findListedExport, type ListedExport } from "#app/proof/own-exports.server.ts";
import { Instant } from "#app/records/record-facts.tsx";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Dialog } from "#app/ui/dialog.tsx";

/** Asks before an export is closed. */
export const handle = { script: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Close export · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const { user, listed } = await findListedExport(context, parseId(params.id));
  return { user, listed, timeZone: context.timeZone };
});

const FAILED = "Failed to close the export. Please try again.";

export const action = formAction({ failed: FAILED, errorPage: FAILED }, async ({ params, context }) => {
  await closeExport(context, parseId(params.id));
  const text = "Its code no longer shows anything.";
  return redirectTo(context, "/account", { toast: { kind: "success", title: "Export closed", text } });
});

export default function CloseExport() {
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout
      current="/account"
      toast={answer?.failure}
      dialog={<CloseDialog {...useLoaderData<typeof loader>()} />}
    />
  );
}

function CloseDialog({ listed, timeZone }: { listed: ListedExport; timeZone: string }) {
  const { id, part, code, madeAt, closedAt } = listed;
  return (
    <Dialog title="Close export" closeHref="/account">
      <p>
        {`${exportTitle(listed)}, made `}
        <Instant at={madeAt} timeZone={timeZone} />
        {code && (
          <>
            {", code "}
            <b>{code}</b>
          </>
        )}
      </p>
      {part && <p>{part}.</p>}
      {closedAt ? (
        <p>
          It was closed <Instant at={closedAt} timeZone={timeZone} />.
        </p>
      ) : (
        <p>
          A check of the code on the paper will only say that you closed it. The list of hours behind the code is
          deleted, and the code cannot be opened again. Your records stay as they are.
        </p>
      )}
      <form method="post" action={`/account/exports/${id}`} className="row">
        <a href="/account">{closedAt ? "Back to the account" : "Cancel"}</a>
        {!closedAt && (
          <button type="submit" className="danger" data-busy="Closing...">
            Close export
          </button>
        )}
      </form>
    </Dialog>
  );
}
