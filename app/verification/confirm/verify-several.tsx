import { useForm } from "@conform-to/react";
import { dateOf } from "#app/records/kind.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { formatDate, toCalendarDate } from "#app/ui/calendar-date.ts";
import { Down } from "#app/ui/icons.tsx";
import { PublicLayout } from "#app/ui/page.tsx";
import type { ItemView, LinkView } from "#app/verification/link-view.ts";
import { countRecords } from "#app/verification/record.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import { sumsByGroup } from "#app/verification/sums.ts";
import { SumsTable } from "#app/verification/sums-table.tsx";
import { AnswerRow } from "./answer-row.tsx";
import { Decisions } from "./ended-screen.tsx";
import { firstWrong, Sign } from "./sign.tsx";
import { keyIn, typedAnswers } from "./typed-answers.ts";
import { OwnHours, SameName } from "./verify-one.tsx";
import type { VerifyScreenProps } from "./verify-screen-props.ts";

type PersonForm = Partial<Record<"supervisorName" | "scheme" | "level" | "number", string>>;

/** The page of a link for several records: who asks, the sums, every record with its answer, one name and one button. */
export function VerifySeveral({ action, link, changed, timeZone, reply, toast }: VerifyScreenProps) {
  const [form, fields] = useForm<PersonForm>({ id: "verify", lastResult: reply });
  const waiting = link.items.filter(({ state }) => state === "waiting").sort(oldestFirst);
  const open = waiting.filter(({ hasBegun }) => hasBegun);
  const answers = typedAnswers(reply);
  const wrongRow = waiting.findIndex(({ shown }) => answers.get(keyIn(shown))?.error);
  const changedRow = changed ? waiting.findIndex(({ shown }) => changed.keys.includes(keyIn(shown))) : -1;
  const focusedRow = changedRow >= 0 ? changedRow : wrongRow;
  const focus = focusedRow >= 0 ? undefined : firstWrong(fields, ["supervisorName", "scheme", "level", "number"]);
  const body = (
    <>
      <header className="lead">
        <h1>
          <bdi>{link.user.name || "A technician"}</bdi> asks you to verify {countRecords(waiting.length)}
        </h1>
        <Lead link={link} waiting={waiting} timeZone={timeZone} />
        {link.items.length > waiting.length && (
          <Decisions items={link.items.filter(({ state }) => state !== "waiting")} />
        )}
        {changed && (
          <p className="alert" role="alert">
            {changed.message}
          </p>
        )}
        <SameName link={link} />
        {link.isOwn && <OwnHours />}
      </header>
      <section className="by-method">
        <h2>Hours by method</h2>
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
          <Sign fields={fields} isSeveral focus={focus}>
            <button type="submit" className="tall">
              <span>
                {open.length > 0 ? (
                  <>
                    Verify <span className="some" />
                    {countRecords(open.length)}
                  </>
                ) : (
                  "Send your answers"
                )}
              </span>
            </button>
            <p className="hint">Records that you marked are not verified.</p>
          </Sign>
        </form>
      )}
    </PublicLayout>
  );
}

function oldestFirst(a: ItemView, b: ItemView): number {
  const [one, other] = [a, b].map(({ record: { kind, record } }) => dateOf(kindNamed(kind), record));
  return (one ?? "") < (other ?? "") ? -1 : one === other ? a.record.record.id - b.record.record.id : 1;
}

interface LeadProps {
  link: LinkView;
  waiting: ItemView[];
  timeZone: string;
}

/** Whose hours of which days, who was asked, and until when. */
function Lead({ link: { user, supervisor, expiresAt }, waiting, timeZone }: LeadProps) {
  const dates = waiting.map(({ record: { kind, record } }) => formatDate(dateOf(kindNamed(kind), record)));
  const [first, last] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const kinds = [...new Set(waiting.map(({ record: { kind } }) => kindNamed(kind).texts.hours))];
  return (
    <p>
      {user.employeeNumber && (
        <>
          Employee Number <bdi>{user.employeeNumber}</bdi>.{" "}
        </>
      )}
      {`Hours (${kinds.join(" and ")}) ${first === last ? `of ${first}` : `from ${first} to ${last}`}. `}
      {supervisor.name ? (
        <>
          This link was sent to <bdi>{supervisor.name}</bdi> and works
        </>
      ) : (
        "This link works"
      )}
      {expiresAt && ` until ${formatDate(toCalendarDate(timeZone, expiresAt))}`}.
    </p>
  );
}
