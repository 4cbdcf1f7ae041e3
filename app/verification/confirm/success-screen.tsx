import type { ReactNode } from "react";
import { kindNamed } from "#app/records/all-kinds.ts";
import { Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { ViaText } from "#app/records/via.tsx";
import { PublicLayout } from "#app/ui/page.tsx";
import { State } from "#app/ui/state.tsx";
import type { ItemView, LinkView } from "#app/verification/link-view.ts";
import { countRecords, LINK_ENDED, notBegunMessage, verificationId, verificationOf } from "#app/verification/record.ts";
import { SumsTable, sumsByGroup } from "#app/verification/sums.tsx";
import { EndedItems } from "./ended-screen.tsx";

interface SuccessScreenProps {
  token: string;
  link: LinkView;
  timeZone: string;
}

/** Whether there is an answer to show: the one record is verified or declined, or some of several are. */
export function isAnswered({ isSeveral, items }: LinkView): boolean {
  return items.some(
    ({ state, cause, record }) =>
      isDecided(state) || cause === "unknown_technician" || (!isSeveral && record.record.verified),
  );
}

/** The page after an answer: what was verified or declined, by whom, when, and the ID to quote. */
export function SuccessScreen({ token, link, timeZone }: SuccessScreenProps) {
  const { isSeveral, items } = link;
  const [item] = items;
  if (!item || !isAnswered(link)) {
    return (
      <PublicLayout>
        <h1>Verification Error</h1>
        <p>No verification details available. This may be an invalid link or the verification has expired.</p>
        {item?.cause && <p>{LINK_ENDED[item.cause]}</p>}
      </PublicLayout>
    );
  }
  const answers = items.filter(({ state }) => isDecided(state));
  const last = answers.reduce<Date | null>(
    (at, { decidedAt }) => (at && decidedAt && at > decidedAt ? at : decidedAt),
    null,
  );
  const verified = items.filter(({ state, record }) => (isSeveral ? state === "verified" : record.record.verified));
  return (
    <PublicLayout>
      <h1>{verified.length > 0 ? "Verification Complete" : "Answer Received"}</h1>
      <Verifier item={verified[0]} at={isSeveral ? last : null} domain={link.supervisor.domain} timeZone={timeZone} />
      {isSeveral ? (
        <>
          {verified.length > 0 && <SumsTable sums={sumsByGroup(verified.map(({ record }) => record))} />}
          <Rest items={items} name={link.user.name} isOpen={link.state === "open"} />
        </>
      ) : (
        <>
          {verified.length === 0 && <Rest items={items} name={link.user.name} isOpen={false} />}
          <RecordFacts kind={kindNamed(item.record.kind)} record={item.record.record} owner={item.record.user} />
        </>
      )}
      <Id token={token} at={isSeveral ? last : item.record.record.verifiedAt} isShown={verified.length > 0} />
      <p className="hint">You can close this page.</p>
    </PublicLayout>
  );
}

function isDecided(state: ItemView["state"]): boolean {
  return state === "verified" || state === "declined";
}

interface VerifierProps {
  item: ItemView | undefined;
  /** The time of the last answer, if it is not the record's. */
  at: Date | null;
  domain: string | null;
  timeZone: string;
}

function Verifier({ item, at, domain, timeZone }: VerifierProps) {
  const verification = item && verificationOf(item.record.record);
  if (!verification) return null;
  return (
    <p className="lead">
      <State of="verified">
        Verified by <b dir="auto">{verification.by}</b> on <Instant at={at ?? verification.at} timeZone={timeZone} />,{" "}
        <ViaText
          via={item.record.record.verifiedVia}
          domain={domain}
          confirmedAt={at === null ? item.record.record.confirmedAt : null}
        />
      </State>
    </p>
  );
}

/** What was not verified: how many were declined, are left for later, or were decided elsewhere. */
function Rest({ items, name, isOpen }: { items: ItemView[]; name: string | null; isOpen: boolean }): ReactNode {
  const count = (state: ItemView["state"]) => items.filter((item) => item.state === state).length;
  const early = items.filter(({ state, hasBegun }) => state === "waiting" && !hasBegun).length;
  const [declined, waiting] = [count("declined"), count("waiting") - early];
  if (declined + waiting + early + count("ended") === 0) return null;
  return (
    <ul>
      {declined > 0 && (
        <li>
          <State of="declined">
            {countRecords(declined)} declined. <bdi>{name || "The technician"}</bdi> is told, with your reason.
          </State>
        </li>
      )}
      {waiting > 0 && (
        <li>
          <State of="requested">
            {countRecords(waiting)} left for later.{isOpen && " Open your link again to answer."}
          </State>
        </li>
      )}
      {early > 0 && (
        <li>
          <State of="requested">{notBegunMessage(early)}</State>
        </li>
      )}
      <EndedItems items={items} />
    </ul>
  );
}

function Id({ token, at, isShown }: { token: string; at: Date | null; isShown: boolean }) {
  if (!at || !isShown) return null;
  return (
    <p>
      Verification ID <b className="code">{verificationId(token, at)}</b>
    </p>
  );
}
