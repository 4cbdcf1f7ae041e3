import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import { deleteUser } from "#app/admin/deletion.server.ts";
import type { AdminUser } from "#app/admin/lists.server.ts";
import {
  ACT_TEXTS,
  type AnyAct,
  actOnPerson,
  findPerson,
  leftSchema,
  PERSON_ACTS,
  RESET_LINK,
  sendResetLink,
} from "#app/admin/people.server.ts";
import personStyles from "#app/admin/person/person.css?inline";
import { personPage } from "#app/admin/person/person-page.server.ts";
import { Certificates, HoursByMethod, Needs, Records, Requests, TargetParts } from "#app/admin/person/person-parts.tsx";
import { deletedWith, personHref, USERS } from "#app/admin/view.tsx";
import { formatDate, toCalendarDate } from "#app/calendar-date.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import gaugeStyles from "#app/records/gauge.css?inline";
import { Instant } from "#app/records/record-facts.tsx";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Alert, LinkLine, State } from "#app/ui/page.tsx";

/** A user, for an admin; with an act it asks first. */
export const handle = {
  script: true,
  fresh: true,
  heavy: "reads",
  css: styles + signedInStyles + dialogStyles + gaugeStyles + personStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "User · Hours Tracker" }];

/** Passes on what the action says: no cache keeps the page with a link. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = page(async ({ params, context }) => {
  const act = actIn(params.act);
  const shown = await personPage(context, parseId(params.id));
  return { ...shown, isSelf: shown.user.id === shown.person.id, act, timeZone: context.timeZone };
});

const HAS_LEFT = "has-left";
const DELETE = "delete";

/**
 * The act with this name; null without a name.
 * @throws {AppError} 404 for an unknown one
 */
function actIn(name: string | undefined): AnyAct | typeof DELETE | null {
  const act = [...PERSON_ACTS, RESET_LINK, DELETE].find((one) => one === name) as AnyAct | typeof DELETE | undefined;
  if (name && !act) throw new AppError("not_found", "There is no such page.");
  return act ?? null;
}

const deleteSchema = z.object({ typed: z.string().optional() });

export const action = formAction<{ url: string }>(
  { failed: "Failed to save the change. Please try again.", title: "Not changed", showsErrors: true },
  async ({ request, params, context }, form) => {
    const id = parseId(params.id);
    const act = actIn(params.act);
    if (!act) throw new AppError("not_found", "There is no such form.");
    if (act === DELETE) {
      const { person } = await findPerson(context, id);
      const { typed = "" } = form.parse(await readForm(request), deleteSchema);
      requireNamed(person, typed);
      await deleteUser(context, id);
      return redirectTo(context, "/admin", { toast: { kind: "success", title: USERS.texts.deleted } });
    }
    if (act !== RESET_LINK) {
      const on = act === HAS_LEFT ? form.parse(await readForm(request), leftSchema).on : null;
      await actOnPerson(context, id, act, on);
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

/**
 * Requires the typed text that confirms the deletion of a user: their number, or else their address.
 * @throws {AppError} 400 if something else was typed
 */
function requireNamed(person: AdminUser, typed: string): void {
  const text = typed.trim().toLowerCase();
  if ([person.email, person.employeeNumber?.toLowerCase()].some((one) => one === text)) return;
  const message = `Type ${person.employeeNumber ?? person.email} to delete this user. Nothing was deleted.`;
  throw new AppError("invalid", message, [{ path: "typed", message }]);
}

/**
 * A person as an admin sees them: their state, what needs attention, how far they are, and what can be done with the account. Each
 * act asks first.
 */
export default function AdminPerson() {
  const { isSelf, act, timeZone, ...shown } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { person } = shown;
  const url = answer?.extra?.url ?? null; // the link to set a new password, where mail is off: it is shown this once
  const parts = { page: shown, timeZone };
  const asks = act && act !== HAS_LEFT && act !== DELETE && !url;
  return (
    <SignedInLayout current="/admin" toast={answer?.failure} dialog={asks && <AskDialog person={person} act={act} />}>
      <section>
        <LinkLine href="/admin">Users</LinkLine>
        <PersonHead {...parts} />
      </section>
      {url && (
        <p className="notice done" role="status">
          Pass this link on: it works for an hour, once. <b>{url}</b>
        </p>
      )}
      <Needs {...parts} />
      <TargetParts {...parts} />
      <div className="pair">
        <HoursByMethod {...parts} />
        <Certificates {...parts} />
        <Requests {...parts} />
        <Records {...parts} />
      </div>
      <section aria-labelledby="account">
        <h2 id="account">Account</h2>
        <ul className="row">
          {actsFor(person, isSelf).map((one) => (
            <li key={one}>
              <a className="second" href={personHref(person.id, one)}>
                {ACT_TEXTS[one].button}
              </a>
            </li>
          ))}
          <li>
            <a href={`/api/admin/users/${person.id}/export.json`}>Download all their data (JSON)</a>
          </li>
        </ul>
      </section>
      {!isSelf && <Leaving {...parts} errors={answer?.reply?.error ?? {}} isDeleting={act === DELETE} />}
    </SignedInLayout>
  );
}

interface ShownPerson {
  page: Awaited<ReturnType<typeof personPage>>;
  timeZone: string;
}

/** Shows the person, and the state of the account. */
function PersonHead({ page: { person, sums }, timeZone }: ShownPerson) {
  const { email, employeeNumber, isAdmin, createdAt, emailConfirmedAt, lockedAt, leftOn } = person;
  const last = sums
    .map((sum) => sum.last)
    .sort()
    .at(-1);
  return (
    <header className="apart person-head">
      <div>
        <h1 dir="auto">{displayName(person)}</h1>
        <p className="hint">
          {employeeNumber && `${employeeNumber}, `}
          <a href={`mailto:${email}`}>{email}</a>
          {!emailConfirmedAt && " (not confirmed)"}. {isAdmin ? "Admin" : "Technician"} since{" "}
          {formatDate(toCalendarDate(timeZone, createdAt))}
        </p>
      </div>
      <p>
        {leftOn ? (
          <State of="declined">{`Left on ${formatDate(leftOn)}`}</State>
        ) : lockedAt ? (
          <State of="declined">
            Locked <Instant at={lockedAt} timeZone={timeZone} />
          </State>
        ) : (
          <State of="done">Active</State>
        )}
        <span className="hint">{last ? `, last record ${formatDate(last)}` : ", nothing logged yet"}</span>
      </p>
    </header>
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

interface LeavingProps extends ShownPerson {
  errors: Record<string, string[] | null>;
  /** Whether the way to delete is open. */
  isDeleting: boolean;
}

/** *Has left*, which can be taken back, and behind it the way to delete the user. */
function Leaving({ page: { person, counts, today }, errors, isDeleting }: LeavingProps) {
  const { id, email, employeeNumber, leftOn } = person;
  const [wrongDay] = errors.on ?? [];
  const [wrongText] = errors.typed ?? [];
  return (
    <section className="leaving" aria-labelledby="left">
      <h2 id="left">Has left</h2>
      <p>
        {leftOn
          ? `Left on ${formatDate(leftOn)}: the account is locked and no emails go out. Unlock takes it back.`
          : ACT_TEXTS[HAS_LEFT].explains}
      </p>
      <form method="post" action={personHref(id, HAS_LEFT)} className="form">
        <div className="field">
          <label htmlFor="on">Last day</label>
          <input
            type="date"
            id="on"
            name="on"
            defaultValue={leftOn ?? today}
            max={today}
            aria-invalid={wrongDay ? true : undefined}
          />
        </div>
        <Alert message={wrongDay} />
        <button type="submit" className="second" data-busy="Saving...">
          {leftOn ? "Change the last day" : ACT_TEXTS[HAS_LEFT].button}
        </button>
      </form>
      <details open={isDeleting || undefined}>
        <summary>Delete instead</summary>
        <form method="post" action={personHref(id, DELETE)} className="form">
          <p>{deletedWith(counts)} Forms that they have printed can no longer be checked. This cannot be undone.</p>
          <div className="field">
            <label htmlFor="typed">Type {employeeNumber ?? email}</label>
            <input id="typed" name="typed" autoComplete="off" aria-invalid={wrongText ? true : undefined} />
          </div>
          <Alert message={wrongText} />
          <button type="submit" className="danger" data-busy="Deleting...">
            Delete user
          </button>
        </form>
      </details>
    </section>
  );
}

/**
 * Returns the acts that are possible for an account as it is: no user locks their own, and a locked one gets no link.
 */
function actsFor({ isAdmin, lockedAt }: { isAdmin: boolean; lockedAt: Date | null }, isSelf: boolean): AnyAct[] {
  return [
    isAdmin ? "remove-admin" : "make-admin",
    ...(isSelf ? [] : [lockedAt ? ("unlock" as const) : ("lock" as const)]),
    "end-sessions",
    ...(lockedAt ? [] : [RESET_LINK]),
  ];
}
