import { type SubmissionResult, useForm } from "@conform-to/react";
import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { toCalendarDate } from "#app/calendar-date.ts";
import { TooManyConflictsError } from "#app/db/client.server.ts";
import { asText, Field } from "#app/forms/field.tsx";
import { formAction, type SubmittedForm } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { kindNamed } from "#app/records/all-kinds.ts";
import { countRecords, dateOf, hasField, hasMethods, isExperience } from "#app/records/kind.ts";
import { CalendarDay, Fact } from "#app/records/record-facts.tsx";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import headStyles from "#app/ui/head.css?inline";
import { Down, Failure, PublicLayout, State } from "#app/ui/page.tsx";
import {
  type Answered,
  answerRequest,
  findVerifyLink,
  RecordChangedError,
} from "#app/verification/answer/answer-request.server.ts";
import {
  answeredToast,
  answersForOne,
  answersForSeveral,
  declineForm,
  declineRequest,
  ITEMS,
  refuseTechnician,
  requireForeignLink,
  severalForm,
  UNKNOWN_TECHNICIAN,
  verifyForm,
} from "#app/verification/answer/answers.server.ts";
import { Decisions, DisownLink, EndedScreen } from "#app/verification/answer/ended-screen.tsx";
import { noteOpening } from "#app/verification/answer/opening.server.ts";
import severalStyles from "#app/verification/answer/several.css?inline";
import verifyStyles from "#app/verification/answer/verify.css?inline";
import {
  Address,
  DamagedLink,
  type FormField,
  firstWrong,
  OwnHours,
  SameName,
  SIGN_FIELDS,
  Sign,
  type SignForm,
  signedBefore,
  UnknownForm,
  UnknownTechnician,
  VerifyOne,
  type VerifyScreenProps,
  Why,
} from "#app/verification/answer/verify-one.tsx";
import type { FoundLink } from "#app/verification/link.server.ts";
import {
  type Asker,
  askerOf,
  type ItemView,
  type LinkView,
  mailboxActs,
  mailedRequest,
  visibleLink,
} from "#app/verification/link-view.server.ts";
import { datesOf, fittingOnPage, linkPath } from "#app/verification/record.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import recordsStyles from "#app/verification/records.css?inline";
import { SumsTable, sumsByGroup } from "#app/verification/sums.tsx";

export const handle = { access: "public", secret: true, keepsForm: true, css: cssOf } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verify · Hours Tracker" }];

/** The form has a sheet of its own, and so has the list of a request for several records. */
function cssOf(data: unknown): string {
  const { link, acts } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  if (link?.state !== "open") return acts?.canRefuse ? styles + verifyStyles : styles;
  return styles + headStyles + verifyStyles + (link.isSeveral ? recordsStyles + severalStyles : "");
}

const STATUS = { open: 200, unknown: 404, decided: 409 };

export const loader = page(async ({ request, params, context }) => {
  const token = mailedToken(params.token);
  const link = await findVerifyLink(context, token);
  noteOpening(context, link);
  const view = visibleLink(link);
  const shown = link.state === "open" && !view.isSeveral ? link.items[0]?.shown : null;
  const action = linkPath(token, new URL(request.url));
  const asker = askerOf(link, context.mail);
  const acts = mailboxActs(context, link);
  const { name = null, certification = null } = mailedRequest(context, link)?.lastStated ?? {};
  const signed = view.state === "open" && name ? { name, certification } : null;
  return data(
    { token, action, link: view, acts, asker, shown, signed, timeZone: context.timeZone },
    { status: STATUS[link.state] },
  );
});

interface Extra {
  changed: { message: string; keys: string[] };
}

export const action = formAction<Extra>(
  {
    title: "Verification failed",
    failed: "An error occurred during verification",
    errorPage: "An error occurred during verification. Please try again.",
    onAppError: (error, form, { request, params, context }) => {
      // The page shows the records as they are now.
      if (error instanceof RecordChangedError) {
        const { status, message, changed: keys } = error;
        return form.show({ status, extra: { changed: { message, keys } } });
      }
      if (!form.isParsed || error.status === 403) return undefined;
      if (error instanceof TooManyConflictsError || error.status === 400) return form.showError(error);
      return redirectTo(context, linkPath(mailedToken(params.token), new URL(request.url)));
    },
  },
  async ({ request, params, context }, form) => {
    const token = mailedToken(params.token);
    const url = new URL(request.url);
    const link = await findVerifyLink(context, token);
    // Who came by the mailed link can close the mailbox to the technician after the end, too.
    const isMailed = link.state !== "open" && mailedRequest(context, link) !== null;
    if (isMailed && (await readForm(request)).get("answer") === "unknown") return refuse(context, token);
    // The page says why the link cannot be used.
    if (link.state === "unknown") return form.show({ status: 404 });
    if (link.state === "decided") {
      return link.keys.length > 1 ? form.show({ status: 409 }) : redirectTo(context, linkPath(token, url));
    }
    await requireForeignLink(context, token);
    const sent = await readForm(request, link.keys.length > 1 ? ITEMS : undefined);
    if (sent.get("answer") === "unknown") return refuse(context, token);
    const answered = await answer(form, link, sent, { token, context });
    const toast = answeredToast(answered);
    const { disownHref } = mailboxActs(context, await findVerifyLink(context, token));
    const isSaved = answered.verified.length + answered.declined.length > 0;
    return redirectTo(context, isSaved ? `/success?token=${token}` : linkPath(token, url), {
      toast,
      ...(isSaved && disownHref && { takeBack: disownHref }),
    });
  },
);

/** Says that the supervisor does not know the technician. */
async function refuse(context: AppLoadContext, token: string): Promise<Response> {
  const done = await refuseTechnician(context, token);
  const toast = { kind: "success", title: "Answer received", text: UNKNOWN_TECHNICIAN[done] } as const;
  return redirectTo(context, done === "ended" ? linkPath(token, context.url) : `/success?token=${token}`, { toast });
}

/** Stores the answers of the form, or declines what waits if that button was pressed. */
function answer(
  form: SubmittedForm,
  link: FoundLink,
  sent: FormData,
  { token, context }: { token: string; context: AppLoadContext },
): Promise<Answered> {
  const isDeclined = sent.get("answer") === "decline";
  if (link.keys.length > 1) {
    if (isDeclined) return declineRequest(context, token, form.parse(sent, declineForm));
    return answerRequest(context, token, answersForSeveral(context, link, form.parse(sent, severalForm)));
  }
  const body = form.parse(sent, isDeclined ? declineForm : verifyForm);
  return answerRequest(context, token, answersForOne(context, link, body, isDeclined));
}

export default function Verify() {
  const answer = useActionData<typeof action>();
  return (
    <VerifyScreen
      {...useLoaderData<typeof loader>()}
      reply={answer?.reply}
      toast={answer?.failure}
      changed={answer?.extra?.changed ?? null}
    />
  );
}

/** How a record was answered in a form that came back. */
interface TypedAnswer {
  answer: string;
  reason: string;
  /** What is wrong with it. */
  error: string | undefined;
}

/**
 * The answers of a submitted form by what was shown: if a record was decided elsewhere meanwhile, the page that comes back
 * has one row less than the form that was sent.
 */
function typedAnswers(reply: SubmissionResult<string[]> | null | undefined): Map<string, TypedAnswer> {
  const items = reply?.initialValue?.items;
  if (!Array.isArray(items)) return new Map();
  return new Map(
    items.map((item, index) => {
      const { shown, answer, reason } = typeof item === "object" && !Array.isArray(item) ? item : {};
      const errors = ["reason", "answer"].flatMap((name) => reply?.error?.[`items[${index}].${name}`] ?? []);
      return [keyIn(shown), { answer: textOf(answer), reason: textOf(reason), error: errors[0] }];
    }),
  );
}

/** The record's key in what a form sends of it: the text before the hash. */
function keyIn(shown: unknown): string {
  return textOf(shown).split(":", 2).join(":");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface AnswerRowProps {
  index: number;
  item: ItemView;
  /** The answer of a form that came back. */
  typed: TypedAnswer | undefined;
  /** Whether the record has changed since it was answered. */
  isChanged: boolean;
  /** Whether it is the first with an error. */
  hasFocus: boolean;
}

const ANSWERS = [
  ["verify", "Verify"],
  ["decline", "Not right"],
  ["skip", "Leave for later"],
] as const;

/**
 * A record of a request with its answer. The style sheet shows the field for the reason while *Not right* is chosen;
 * a browser without `:has()` always shows it.
 */
function AnswerRow({ index, item, typed, isChanged, hasFocus }: AnswerRowProps) {
  const { error, reason } = typed ?? {};
  const answers = ANSWERS.filter(([value]) => value !== "verify" || item.hasBegun);
  const answer = answers.find(([value]) => value === typed?.answer)?.[0] ?? (item.hasBegun ? "verify" : "skip");
  const name = `items[${index}]`;
  return (
    <li className={isChanged ? "changed" : undefined}>
      <RecordCells id={`r${index}`} record={item.record} notes={item.notes} />
      <input type="hidden" name={`${name}.shown`} value={item.shown} />
      <div className="answers" role="radiogroup" aria-labelledby={`r${index}`}>
        {answers.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={`${name}.answer`}
              value={value}
              defaultChecked={value === answer}
              autoFocus={hasFocus && !error && value === answer}
            />
            {label}
          </label>
        ))}
      </div>
      <label className="reason">
        What is not right?
        <textarea
          name={`${name}.reason`}
          defaultValue={reason}
          autoFocus={hasFocus && Boolean(error)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `e${index}`}
        />
      </label>
      {error && (
        <p className="wrong" id={`e${index}`}>
          {error}
        </p>
      )}
      {isChanged && <p className="wrong">This record was changed since you opened the page. Look at it again.</p>}
    </li>
  );
}

/** The page of a link for several records: who asks, the sums, every record with its answer, one name and one button. */
function VerifySeveral({ action, link, acts, asker, signed, changed, timeZone, reply, toast }: VerifyScreenProps) {
  const [form, fields] = useForm<SignForm>({ id: "verify", lastResult: reply, defaultValue: signedBefore(signed) });
  const all = link.items.filter(({ state }) => state === "waiting").sort(oldestFirst);
  const waiting = fittingOnPage(all, ({ record }) => record);
  const open = waiting.filter(({ hasBegun }) => hasBegun);
  const answers = typedAnswers(reply);
  const wrongRow = waiting.findIndex(({ shown }) => answers.get(keyIn(shown))?.error);
  const changedRow = changed ? waiting.findIndex(({ shown }) => changed.keys.includes(keyIn(shown))) : -1;
  const focusedRow = changedRow >= 0 ? changedRow : wrongRow;
  const focus = focusedRow >= 0 ? undefined : firstWrong(fields, SIGN_FIELDS);
  const technician = link.user.name || "A technician";
  const named = link.user.name || "the technician"; // within a sentence
  const waitingKinds = waiting.map(({ record: { kind } }) => kindNamed(kind));
  const isByMethod = waitingKinds.every(isExperience) && waitingKinds.some(hasMethods);
  const body = (
    <>
      <header className="lead">
        <h1>
          <bdi>{technician}</bdi> asks you to verify {countRecords(all.length)}
        </h1>
        <Why name={named} records={waiting.map(({ record }) => record)} />
        <DamagedLink acts={acts} />
        <Lead link={link} asker={asker} waiting={waiting} timeZone={timeZone} />
        {link.items.length > all.length && (
          <Decisions items={link.items.filter(({ state }) => state !== "waiting")} timeZone={timeZone} />
        )}
        <DisownLink href={acts.disownHref} link={link} />
        {changed && (
          <p className="alert" role="alert">
            {changed.message}
          </p>
        )}
        <SameName link={link} />
        {link.isOwn ? <OwnHours records={waiting.map(({ record }) => record)} /> : <UnknownTechnician name={named} />}
      </header>
      <section className="by-method">
        <h2>{isByMethod ? "Hours by method" : "Sums"}</h2>
        <SumsTable sums={sumsByGroup(waiting.map(({ record }) => record))} />
        {!link.isOwn && (
          <a className="second" href="#sign">
            Go to your name <Down />
          </a>
        )}
      </section>
      <section className="records">
        <header className="head">
          <h2>Records</h2>
          <span className="hint">oldest first</span>
        </header>
        {all.length > waiting.length && (
          <p className="alert">
            {`The texts are too long for one page. It has the first ${waiting.length} of ${all.length} records: answer these, then open the link again for the others.`}
          </p>
        )}
        <ol>
          {waiting.map((item, index) =>
            link.isOwn ? (
              <li key={item.shown}>
                <RecordCells id={`r${index}`} record={item.record} notes={item.notes} />
              </li>
            ) : (
              <AnswerRow
                key={item.shown}
                index={index}
                item={item}
                typed={answers.get(keyIn(item.shown))}
                isChanged={changed?.keys.includes(keyIn(item.shown)) ?? false}
                hasFocus={index === focusedRow}
              />
            ),
          )}
        </ol>
      </section>
    </>
  );
  return (
    <PublicLayout toast={toast} wide>
      {link.isOwn ? (
        <div className="several">{body}</div>
      ) : (
        <form method="post" action={action} id={form.id} className="several" noValidate>
          {body}
          <Sign fields={fields} link={link} records={waiting.map(({ record }) => record)} focus={focus}>
            <Warnings waiting={waiting} />
            {/* The title names it where a reader does not see what the style sheet counts. */}
            <button type="submit" className="tall" title="Send your answers">
              <span className="sent">
                <span>{buttonText(open, waiting, answers)}</span>
              </span>
            </button>
            <p className="hint">Records that you marked are not verified.</p>
            <DeclineAll field={fields.reason} records={all.length} name={technician} focus={focus} />
          </Sign>
        </form>
      )}
      {!link.isOwn && <UnknownForm action={action} />}
    </PublicLayout>
  );
}

/** How many records have something to look at, beside the button: the first may be far above. */
function Warnings({ waiting }: { waiting: ItemView[] }) {
  const warned = waiting.filter(({ notes }) => notes.length > 0);
  const [first] = warned;
  if (!first) return null;
  return (
    <p>
      <State of="look">
        <a href={`#r${waiting.indexOf(first)}`}>
          {warned.length === 1 ? "1 record has a warning" : `${warned.length} records have a warning`}
        </a>
      </State>
    </p>
  );
}

/** The button in words that are true for the answers of the form that came back. The style sheet changes them as they change. */
function buttonText(open: ItemView[], waiting: ItemView[], answers: ReturnType<typeof typedAnswers>): string {
  const answerOf = ({ shown }: ItemView) => answers.get(keyIn(shown))?.answer ?? "verify";
  const verified = open.filter((item) => answerOf(item) === "verify").length;
  const declined = waiting.filter((item) => answerOf(item) === "decline").length;
  if (verified === 0) return "Send your answers";
  return declined > 0 ? `Verify ${verified}, decline ${declined}` : `Verify ${countRecords(verified)}`;
}

interface DeclineAllProps {
  field: FormField;
  records: number;
  name: string;
  focus: string | undefined;
}

/** Declines every record with one reason, whatever is marked above. */
function DeclineAll({ field, records, name, focus }: DeclineAllProps) {
  const label = records === 1 ? "Decline it" : `Decline all ${records}`;
  return (
    <details className="decline" open={Boolean(field.errors || field.initialValue)}>
      <summary>{label}</summary>
      <Field
        field={field}
        label="What is not right?"
        control={(attributes) => (
          <textarea {...attributes} autoFocus={focus === "reason"} defaultValue={asText(field.initialValue)} />
        )}
      />
      <p className="hint">
        {records > 1 && "One reason for all. "}
        <bdi>{name}</bdi> will read it, with your name from above.
      </p>
      <button type="submit" name="answer" value="decline">
        {label}
      </button>
    </details>
  );
}

function oldestFirst(a: ItemView, b: ItemView): number {
  const [one, other] = [a, b].map(({ record: { kind, record } }) => dateOf(kindNamed(kind), record));
  return (one ?? "") < (other ?? "") ? -1 : one === other ? a.record.record.id - b.record.record.id : 1;
}

interface LeadProps {
  link: LinkView;
  asker: Asker | null;
  waiting: ItemView[];
  timeZone: string;
}

/** Who asks, whose hours of which days, who was asked, and until when. */
function Lead({ link: { user, supervisor, expiresAt }, asker, waiting, timeZone }: LeadProps) {
  const [first, last] = datesOf(waiting.map(({ record }) => record));
  const kinds = [...new Set(waiting.map(({ record: { kind } }) => kind))].map(kindNamed);
  return (
    <dl className="facts">
      <Address asker={asker} />
      {user.employeeNumber && <Fact term="Employee Number">{user.employeeNumber}</Fact>}
      <Fact term={kinds.every((kind) => hasField(kind, "hours")) ? "Hours" : "Records"}>
        {`${kinds.map(({ texts }) => texts.hours).join(" and ")}, `}
        <CalendarDay date={first} weekday />
        {last !== first && (
          <>
            {" to "}
            <CalendarDay date={last} weekday />
          </>
        )}
      </Fact>
      {supervisor.name && <Fact term="Sent to">{supervisor.name}</Fact>}
      {expiresAt && (
        <Fact term="Answer by">
          <CalendarDay date={toCalendarDate(timeZone, expiresAt)} weekday />
        </Fact>
      )}
    </dl>
  );
}

/** The page of a verification link: what is asked, one field and one button; or why the link cannot be used. */
export function VerifyScreen(props: VerifyScreenProps) {
  const { link } = props;
  if (link.state !== "open") return <EndedScreen {...props} />;
  if (link.isSeveral) return <VerifySeveral {...props} />;
  const [item] = link.items;
  // The server always sends the record; without it there is nothing to confirm (spec section 8).
  if (!item) return <Failure title="Invalid Data Format" text="This link's record could not be read." />;
  return <VerifyOne {...props} item={item} />;
}
