import { type FieldMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { toCalendarDate } from "#app/calendar-date.ts";
import { asText, Field, SelectField } from "#app/forms/field.tsx";
import { TEXT_MAX } from "#app/forms/fields.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { isSameName, SAME_NAME, STATEMENT_NAMES, STATEMENTS, type Stated } from "#app/records/evidence.ts";
import { choiceLabel, hundredthsOf, isExperience } from "#app/records/kind.ts";
import { amountText, CalendarDay, RecordFacts } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { PublicLayout, State } from "#app/ui/page.tsx";
import type { Asker, ItemView, LinkView, MailboxActs } from "#app/verification/link-view.server.ts";
import { theseAreYourOwn, type VerifiableRecord, withArticle } from "#app/verification/record.ts";

export interface VerifyScreenProps {
  /** The address that the form posts to: the link itself, with the secret of the mailed one if it has it. */
  action: string;
  token: string;
  link: LinkView;
  acts: MailboxActs;
  /** The technician who sent the request; null if the viewer is this technician. */
  asker: Asker | null;
  /** The hash of the one record that is shown, sent with the form; null for several, and without a form. */
  shown?: string | null;
  /** The error if records have changed since the page was opened, and their keys (`itemKey`). */
  changed?: { message: string; keys: string[] } | null;
  /**
   * The supervisor's statement at their last verification from this mailbox; null before, and for a link that was not
   * mailed.
   */
  signed?: Signed | null;
  timeZone: string;
  /** The result of the last submission. */
  reply?: SubmissionResult<string[]> | null | undefined;
  toast?: Toast | null | undefined;
}

interface Signed {
  name: string;
  certification: Stated | null;
}

/** The fields of the form in which a supervisor signs, and of the reason for declining. */
export const SIGN_FIELDS = [
  "supervisorName",
  ...STATEMENT_NAMES,
  ...(["scheme", "methods", "level", "number", "validUntil"] as const),
  "reason",
] as const;

export type SignForm = Partial<Record<(typeof SIGN_FIELDS)[number], string>>;

/**
 * Returns the first values of the form: the name and certificate of the last time, but no ground, which is about these
 * records.
 */
export function signedBefore(signed: Signed | null | undefined): SignForm {
  if (!signed) return {};
  const { scheme, methods, level, number, validUntil } = signed.certification ?? {};
  const fields = { supervisorName: signed.name, scheme, methods: methods?.join(", "), level, number, validUntil };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}

/** The page of a link for one record. */
export function VerifyOne({
  action,
  link,
  acts,
  asker,
  item,
  shown,
  signed,
  changed,
  timeZone,
  reply,
  toast,
}: VerifyScreenProps & { item: ItemView }) {
  const { record } = item;
  const [form, fields] = useForm<SignForm>({ id: "verify", lastResult: reply, defaultValue: signedBefore(signed) });
  const technician = record.user.name || "A technician";
  const named = record.user.name || "the technician"; // within a sentence
  const kind = kindNamed(record.kind);
  const hundredths = hundredthsOf(record.record);
  const focus = firstWrong(fields, SIGN_FIELDS);
  const { reason } = fields;
  return (
    <PublicLayout toast={toast}>
      <h1>
        <bdi>{technician}</bdi> asks you to verify{" "}
        {hundredths === null ? withArticle(kind.noun(record.record)) : amountText(kind, record.record)}
      </h1>
      <Why {...{ link, asker, records: [record], timeZone }} />
      <DamagedLink acts={acts} />
      {changed && (
        <p className="alert" role="alert">
          {changed.message}
        </p>
      )}
      <SameName link={link} />
      <RecordFacts kind={kind} record={record.record} weekdays />
      {item.notes.map((note) => (
        <p key={note}>
          <State of="look">{note}</State>
        </p>
      ))}
      {link.isOwn ? (
        <OwnHours records={[record]} />
      ) : (
        <form method="post" action={action} id={form.id} noValidate>
          <input type="hidden" name="shown" value={shown ?? ""} />
          <Sign fields={fields} link={link} records={[record]} focus={focus} />
          {item.hasBegun && (
            <div className="foot">
              <button type="submit" className="tall">
                {hundredths === null ? "Verify" : "Verify Hours"}
              </button>
            </div>
          )}
          <div className="ways">
            <details className="decline" open={Boolean(!item.hasBegun || reason.errors || reason.initialValue)}>
              <summary>This isn't right</summary>
              <Field
                field={reason}
                label="What's wrong?"
                control={(attributes) => (
                  <textarea {...attributes} autoFocus={focus === "reason"} defaultValue={asText(reason.initialValue)} />
                )}
              />
              <p className="hint">
                <bdi>{technician}</bdi> will read this, with your name from above.
              </p>
              <button type="submit" name="answer" value="decline">
                Decline
              </button>
            </details>
            <UnknownTechnician name={named} />
          </div>
        </form>
      )}
      {!link.isOwn && <UnknownForm action={action} />}
    </PublicLayout>
  );
}

interface WhyProps {
  link: Pick<LinkView, "user" | "expiresAt">;
  /** The technician who sent the request; null if the viewer is this technician. */
  asker: Asker | null;
  records: readonly VerifiableRecord[];
  timeZone: string;
}

/** Shows the technician's address or name, why a stranger gets this page, and the last day to answer. */
export function Why({ link: { user, expiresAt }, asker, records, timeZone }: WhyProps) {
  const isWork = records.every(({ kind }) => isExperience(kindNamed(kind)));
  return (
    <p className="hint">
      {asker ? (
        <>
          <a href={`mailto:${encodeURIComponent(asker.email).replace("%40", "@")}`}>{asker.email}</a>
          {!asker.isConfirmed && " (not confirmed)"}
        </>
      ) : (
        <bdi>{user.name || "The technician"}</bdi>
      )}
      {user.employeeNumber && (
        <>
          , Employee Number <bdi>{user.employeeNumber}</bdi>,
        </>
      )}
      {isWork
        ? " named you as the supervisor who can confirm this work."
        : " named you as someone who can confirm this."}
      {expiresAt && (
        <>
          {" Answer by "}
          <CalendarDay date={toCalendarDate(timeZone, expiresAt)} />.
        </>
      )}
    </p>
  );
}

/** Says that the link is not the one in the email. It can be answered all the same, until it has ended. */
export function DamagedLink({ acts, hasEnded = false }: { acts: MailboxActs; hasEnded?: boolean }) {
  return (
    acts.isDamaged && (
      <p>
        <State of="look">
          This link is not complete, or it is from an email to an earlier address.{" "}
          {!hasEnded && "An answer here is noted as by link, not as from your mailbox. For that, "}
          {hasEnded ? "Open" : "open"} the link in the newest email about this request.
        </State>
      </p>
    )
  );
}

/**
 * The choice for people who do not know the technician. Its button belongs to a form of its own (`UnknownForm`),
 * because Enter in a field presses the first button of the field's form.
 */
export function UnknownTechnician({ name, hasEnded = false }: { name: string; hasEnded?: boolean }) {
  return (
    <details className="decline">
      <summary>I do not know this technician</summary>
      <p>
        {hasEnded ? "No email from " : "This ends the request: nothing is verified, and no email from "}
        <bdi>{name}</bdi> reaches your address again.{!hasEnded && " We'll let them know."}
      </p>
      <button type="submit" form="unknown" name="answer" value="unknown">
        I do not know this technician
      </button>
    </details>
  );
}

/** The form of the button in `UnknownTechnician`. */
export function UnknownForm({ action }: { action: string }) {
  return <form method="post" action={action} id="unknown" />;
}

/** Says that the supervisor of the request has the technician's name. Forms with the verification say so too. */
export function SameName({ link: { supervisor, user } }: { link: LinkView }) {
  return (
    isSameName(supervisor.name, user.name) && (
      <p>
        <State of="look">{SAME_NAME}</State>
      </p>
    )
  );
}

/** Replaces the form for the technician who opens their own link. */
export function OwnHours({ records }: { records: readonly VerifiableRecord[] }) {
  return (
    <p className="alert">
      {`${theseAreYourOwn(records)}, so you can't verify them. Send this page's link to your supervisor.`}
    </p>
  );
}

export type FormField = FieldMetadata<string | undefined>;

type SignFields = Record<Exclude<keyof SignForm, "reason">, FormField>;

interface SignProps {
  fields: SignFields;
  link: Pick<LinkView, "isSeveral" | "supervisor">;
  /** The records to verify. */
  records: readonly VerifiableRecord[];
  /** The name of the field that gets the focus: the first with an error. */
  focus: string | undefined;
}

const CERTIFICATE = [
  ["scheme", "Scheme"],
  ["methods", "Methods, such as MT, PT"],
  ["level", "Level"],
  ["number", "Certificate number"],
  ["validUntil", "Valid until"],
] as const;

/** Level I, as people write it. While it is typed, the style sheet shows the sentence about it by the field's pattern. */
const LEVEL_ONE_PATTERN = String.raw`\s*([Ll](evel|EVEL)\s*)?[Ii1]\s*`;
const LEVEL_ONE = new RegExp(`^${LEVEL_ONE_PATTERN}$`);

/**
 * The fields of a supervisor's statement: their name, the meaning of the button, and their certificate if they want.
 */
export function Sign({ fields, link: { isSeveral, supervisor }, records, focus }: SignProps) {
  const isLevelOne = [supervisor.level, asText(fields.level.initialValue)].some((level) => LEVEL_ONE.test(level ?? ""));
  const isWork = records.some(({ kind }) => isExperience(kindNamed(kind)));
  const isStated = [...CERTIFICATE.map(([name]) => name), ...STATEMENT_NAMES].some(
    (name) => fields[name].errors || fields[name].initialValue,
  );
  return (
    <section className="sign" aria-label="Sign">
      <Field
        field={fields.supervisorName}
        label="Your name"
        autoComplete="name"
        maxLength={TEXT_MAX}
        autoFocus={focus === "supervisorName"}
      />
      <Statement records={records}>
        It will appear on {isSeveral ? "each" : "this"} record.
        {supervisor.name && !fields.supervisorName.initialValue && (
          <>
            {" The technician typed "}
            <bdi>{supervisor.name}</bdi>.
          </>
        )}
      </Statement>
      {isWork && (
        <p className={isLevelOne ? "hint" : "hint level-one"}>Most written practices ask for Level II or III.</p>
      )}
      <details open={isStated}>
        <summary>{isWork ? "Add ground and certification (optional)" : "Add your certification (optional)"}</summary>
        {isWork &&
          STATEMENT_NAMES.map((name) => (
            <SelectField
              key={name}
              field={fields[name]}
              label={STATEMENTS[name].question}
              choices={Object.entries(STATEMENTS[name].choices).map(([choice, { label }]) => [choice, label] as const)}
              autoFocus={focus === name}
            />
          ))}
        {CERTIFICATE.map(([name, label]) => (
          <Field
            key={name}
            field={fields[name]}
            label={label}
            type={name === "validUntil" ? "date" : "text"}
            maxLength={name === "validUntil" ? undefined : TEXT_MAX}
            autoFocus={focus === name}
            pattern={name === "level" ? `(?!${LEVEL_ONE_PATTERN}$).*` : undefined}
          />
        ))}
      </details>
    </section>
  );
}

interface StatementProps extends Pick<SignProps, "records"> {
  /** The text before it, which says where the name will appear. */
  children: ReactNode;
}

/** Shows what selecting the button states. Records of several kinds state different things. */
function Statement({ records, children }: StatementProps) {
  const nouns = new Map<string, Set<string>>();
  for (const { kind: name, record } of records) {
    const kind = kindNamed(name);
    const stated = kind.stated(record);
    nouns.set(stated, (nouns.get(stated) ?? new Set()).add(kind.noun(record)));
  }
  const [[one] = [""], ...others] = nouns;
  const isOne = others.length === 0;
  return (
    <>
      <p className="hint">
        {children}
        {isOne
          ? ` By selecting Verify, you confirm that ${one}.`
          : " By selecting Verify, you confirm of each record that you verify:"}
      </p>
      {!isOne && (
        <ul className="hint">
          {[...nouns].map(([stated, of]) => (
            <li key={stated}>{`${choiceLabel([...of].join(", "))}: ${stated}.`}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The first of these fields that has an error. */
export function firstWrong(fields: Record<string, FormField>, names: readonly string[]): string | undefined {
  return names.find((name) => fields[name]?.errors);
}
