import { type SubmissionResult, useForm } from "@conform-to/react";
import { countRecords } from "#app/records/kind.ts";
import { Days } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { Alert, PublicLayout } from "#app/ui/page.tsx";
import type { Asker, ItemView, LinkView } from "#app/verification/link-view.server.ts";
import { amountOf, datesOf, fittingOnPage } from "#app/verification/record.ts";
import { SumsList, sumsByGroup } from "#app/verification/sums.tsx";
import { commonDetails, groupItems } from "./by-day.ts";
import { firstWrong, SIGN_FIELDS, Sign, type SignForm, signedBefore, Why } from "./verify-one.tsx";
import { Foot, keyIn, Rows, typedAnswers } from "./verify-several.tsx";

/** A technician of a crew, with the records of all their requests that wait. */
export interface Member {
  link: Pick<LinkView, "user" | "supervisor" | "expiresAt">;
  asker: Asker | null;
  items: ItemView[];
  /** The path of the own link of their first request, where they can be refused as unknown. */
  path: string;
}

interface CrewScreenProps {
  /** The address that the form posts to. */
  action: string;
  members: Member[];
  /** Technicians whose own mailbox this is, who cannot be answered here. */
  own: string[];
  hasMore: boolean;
  answered: { technician: string | null; path: string }[];
  /** The name that was stated last from this mailbox. */
  signed: Parameters<typeof signedBefore>[0];
  timeZone: string;
  reply?: SubmissionResult<string[]> | null | undefined;
  toast?: Toast | null | undefined;
}

/**
 * All that waits for a mailbox: sums, one name and one button, then the records of each technician. Without anything that waits,
 * what was answered lately.
 */
export function CrewScreen(props: CrewScreenProps) {
  const { members, own, hasMore, answered, toast } = props;
  const isEmpty = members.length === 0;
  return (
    <PublicLayout toast={toast} wide={!isEmpty}>
      {isEmpty ? (
        <>
          <h1>Waiting for your answer</h1>
          <p className="empty">Nothing waits for you. Thank you.</p>
        </>
      ) : (
        <CrewForm {...props} />
      )}
      {own.length > 0 && (
        <p className="alert">{`Records of ${own.join(", ")} are not here: no one verifies their own hours.`}</p>
      )}
      {hasMore && !isEmpty && (
        <p className="hint">This page has the oldest requests. Answer these, then open it again for the others.</p>
      )}
      {answered.length > 0 && <LatelyAnswered answered={answered} />}
    </PublicLayout>
  );
}

function CrewForm({ action, members, signed, timeZone, reply, toast }: CrewScreenProps) {
  const [form, fields] = useForm<SignForm>({ id: "verify", lastResult: reply, defaultValue: signedBefore(signed) });
  const ordered = members.map((member) => ({ member, items: groupItems(member.items).flatMap(({ items }) => items) }));
  const all = ordered.flatMap(({ items }) => items);
  const waiting = fittingOnPage(all, ({ record }) => record);
  const records = waiting.map(({ record }) => record);
  const answers = typedAnswers(reply);
  const focus = firstWrong(fields, SIGN_FIELDS);
  const focused = focus ? undefined : waiting.find(({ shown }) => answers.get(keyIn(shown))?.error);
  const [first, last] = datesOf(records);
  const names = new Set(members.map(({ link }) => link.supervisor.name));
  const [name = null] = names.size === 1 ? names : [];
  const link = { isSeveral: true, supervisor: { name, level: null, domain: null } };
  return (
    <form method="post" action={action} id={form.id} className="several crew" noValidate>
      <header className="lead">
        <h1>
          {members.length === 1 ? <bdi>{nameOf(members[0])}</bdi> : `${members.length} technicians`}
          {members.length === 1 ? " asks" : " ask"} you to verify {amountOf(records)}
        </h1>
        <p>
          {`${countRecords(records.length)}, `}
          <Days first={first} last={last} />.
        </p>
        <Alert message={toast?.kind === "error" ? toast.text : null} />
      </header>
      <div className="sheet">
        <div className="rail">
          <SumsList sums={sumsByGroup(records)} />
          <Sign fields={fields} link={link} records={records} focus={focus} />
        </div>
        <div className="members">
          {ordered.map(({ member, items }) => {
            const own = items.filter((item) => waiting.includes(item));
            const from = waiting.indexOf(own[0] as ItemView); // -1 without any, and then no row has it
            const shown = own.map(({ record }) => record);
            const common = commonDetails(own);
            const [first, last] = datesOf(shown);
            return (
              own.length > 0 && (
                <section key={member.path} className="member" aria-labelledby={`m${from}`}>
                  <header>
                    <h2 id={`m${from}`}>
                      <bdi>{nameOf(member)}</bdi> <span>{amountOf(shown)}</span>
                    </h2>
                    <Why link={member.link} asker={member.asker} records={shown} timeZone={timeZone} />
                  </header>
                  <Rows
                    items={own}
                    from={from}
                    first={first}
                    last={last}
                    common={common}
                    answers={answers}
                    changedKeys={new Set()}
                    focused={focused}
                    isOwn={false}
                  />
                  <a className="alone" href={member.path}>
                    Do you not know this technician? Open their request alone
                  </a>
                </section>
              )
            );
          })}
        </div>
      </div>
      <Foot waiting={waiting} answers={answers} />
    </form>
  );
}

function nameOf(member: Member | undefined): string {
  return member?.link.user.name || "A technician";
}

/** Lists the requests that were answered from this mailbox lately, with the links that show the answers and take them back. */
function LatelyAnswered({ answered }: Pick<CrewScreenProps, "answered">) {
  return (
    <section className="lately">
      <h2>Answered within the last hour</h2>
      <ul>
        {answered.map(({ technician, path }) => (
          <li key={path}>
            <b dir="auto">{technician || "A technician"}</b>
            <a className="second" href={path}>
              See the answer, or take it back
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
