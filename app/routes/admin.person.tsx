import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import {
  ACT_TEXTS,
  type AnyAct,
  actOnPerson,
  findPerson,
  PERSON_ACTS,
  RESET_LINK,
  sendResetLink,
} from "#app/admin/people.server.ts";
import { personHref } from "#app/admin/view.tsx";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { Fact, Instant } from "#app/records/record-facts.tsx";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { LinkLine } from "#app/ui/page.tsx";

/** A user, for an admin; with an act it asks first. */
export const handle = { script: true, fresh: true, css: styles + signedInStyles + dialogStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "User · Hours Tracker" }];

/** Passes on what the action says: no cache keeps the page with a link. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = page(async ({ params, context }) => {
  const { user, person } = await findPerson(context, parseId(params.id));
  return { user, person, isSelf: user.id === person.id, act: actIn(params.act), timeZone: context.timeZone };
});

/**
 * The act with this name; null without a name.
 * @throws {AppError} 404 for an unknown one
 */
function actIn(name: string | undefined): AnyAct | null {
  const act = [...PERSON_ACTS, RESET_LINK].find((one) => one === name) ?? null;
  if (name && !act) throw new AppError("not_found", "There is no such page.");
  return act;
}

export const action = formAction<{ url: string }>(
  { failed: "Failed to save the change. Please try again.", title: "Not changed", showsErrors: true },
  async ({ params, context }, form) => {
    const id = parseId(params.id);
    const act = actIn(params.act);
    if (!act) throw new AppError("not_found", "There is no such form.");
    if (act !== RESET_LINK) {
      await actOnPerson(context, id, act);
      // An admin who gives up the role can no longer see the page.
      const isGivenUp = act === "remove-admin" && id === context.visit.userId;
      const title = isGivenUp ? "You are no longer an admin" : ACT_TEXTS[act].done;
      return redirectTo(context, isGivenUp ? "/profile" : personHref(id), { toast: { kind: "success", title } });
    }
    const { emailed, url } = await sendResetLink(context, id);
    if (url) return form.show({ extra: { url }, headers: { "Cache-Control": "no-store" } });
    const title = emailed ? "The link was emailed" : "The link could not be emailed";
    const text = emailed ? undefined : "The address of this account is not confirmed, or asked for no emails.";
    return redirectTo(context, personHref(id), {
      toast: { kind: emailed ? "success" : "error", title, ...(text && { text }) },
    });
  },
);

/** An account as an admin sees it, with what can be done with it. Each act asks first. */
export default function AdminPerson() {
  const { person, isSelf, act, timeZone } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const url = answer?.extra?.url ?? null; // the link to set a new password, where mail is off: it is shown this once
  const { id, email, employeeNumber, isAdmin, createdAt, emailConfirmedAt, lockedAt } = person;
  return (
    <SignedInLayout current="/admin" toast={answer?.failure}>
      <h1 dir="auto">{displayName(person)}</h1>
      {act && !url && <AskDialog person={person} act={act} />}
      {url && (
        <p className="notice done" role="status">
          Pass this link on: it works for an hour, once. <b>{url}</b>
        </p>
      )}
      <dl className="facts">
        <Fact term="Email">{email}</Fact>
        <Fact term="Employee number">{employeeNumber ?? "none"}</Fact>
        <Fact term="Role">{isAdmin ? "Admin" : "Technician"}</Fact>
        <Fact term="Registered">
          <Instant at={createdAt} timeZone={timeZone} />
        </Fact>
        <Fact term="Email confirmed">
          {emailConfirmedAt ? <Instant at={emailConfirmedAt} timeZone={timeZone} /> : "no"}
        </Fact>
        <Fact term="Locked">{lockedAt ? <Instant at={lockedAt} timeZone={timeZone} /> : "no"}</Fact>
      </dl>
      <ul className="row">
        {actsFor(person, isSelf).map((one) => (
          <li key={one}>
            <a className="second" href={personHref(id, one)}>
              {ACT_TEXTS[one].button}
            </a>
          </li>
        ))}
        <li>
          <a href={`/api/admin/users/${id}/export.json`}>Download all their data (JSON)</a>
        </li>
      </ul>
      <LinkLine href="/admin">Back to the users</LinkLine>
    </SignedInLayout>
  );
}

function AskDialog({ person, act }: { person: User; act: AnyAct }) {
  const { button, explains } = ACT_TEXTS[act];
  return (
    <ConfirmDialog
      title={button}
      closeHref={personHref(person.id)}
      action={personHref(person.id, act)}
      busy="Saving..."
      isHarmless
    >
      <p>
        <b dir="auto">{displayName(person)}</b>, {person.email}
      </p>
      <p>{explains}</p>
    </ConfirmDialog>
  );
}

/** What makes sense for an account as it is: nobody locks their own, and a locked one gets no link. */
function actsFor({ isAdmin, lockedAt }: { isAdmin: boolean; lockedAt: Date | null }, isSelf: boolean): AnyAct[] {
  return [
    isAdmin ? "remove-admin" : "make-admin",
    ...(isSelf ? [] : [lockedAt ? ("unlock" as const) : ("lock" as const)]),
    "end-sessions",
    ...(lockedAt ? [] : [RESET_LINK]),
  ];
}
