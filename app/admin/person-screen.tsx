import { SignedInLayout } from "#app/accounts/layout.tsx";
import { displayName, type User } from "#app/accounts/user.ts";
import { formatInstant } from "#app/calendar-date.ts";
import { Fact } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { ACT_TEXTS, type AnyAct, actsFor } from "./person-acts.ts";
import { personHref } from "./view.ts";

type Person = User & { lockedAt: Date | null };

interface PersonScreenProps {
  person: Person;
  timeZone: string;
  /** Whether it is the admin's own account. */
  isSelf: boolean;
  /** The act that the page asks about, or null. */
  act: AnyAct | null;
  /** The link to set a new password, where mail is off: it is shown this once. */
  url: string | null;
  toast: Toast | null | undefined;
}

/** An account as an admin sees it, with what can be done with it. Each act asks first. */
export function PersonScreen({ person, timeZone, isSelf, act, url, toast }: PersonScreenProps) {
  const { id, email, employeeNumber, isAdmin, createdAt, emailConfirmedAt, lockedAt } = person;
  const at = (moment: Date) => <time dateTime={moment.toISOString()}>{formatInstant(timeZone, moment)}</time>;
  return (
    <SignedInLayout current="/admin" toast={toast}>
      <h1 dir="auto">{displayName(person)}</h1>
      {act && <AskDialog person={person} act={act} />}
      {url && (
        <p className="notice done" role="status">
          Pass this link on: it works for an hour, once. <b>{url}</b>
        </p>
      )}
      <dl className="facts">
        <Fact term="Email">{email}</Fact>
        <Fact term="Employee number">{employeeNumber ?? "none"}</Fact>
        <Fact term="Role">{isAdmin ? "Admin" : "Technician"}</Fact>
        <Fact term="Registered">{at(createdAt)}</Fact>
        <Fact term="Email confirmed">{emailConfirmedAt ? at(emailConfirmedAt) : "no"}</Fact>
        <Fact term="Locked">{lockedAt ? at(lockedAt) : "no"}</Fact>
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
      <p>
        <a href="/admin">Back to the users</a>
      </p>
    </SignedInLayout>
  );
}

function AskDialog({ person, act }: { person: Person; act: AnyAct }) {
  const { button, explains } = ACT_TEXTS[act];
  const back = personHref(person.id);
  return (
    <Dialog title={button} closeHref={back}>
      <p>
        <b dir="auto">{displayName(person)}</b>, {person.email}
      </p>
      <p>{explains}</p>
      <form method="post" action={personHref(person.id, act)} className="row">
        <a href={back}>Cancel</a>
        <button type="submit" data-busy="Saving...">
          {button}
        </button>
      </form>
    </Dialog>
  );
}
