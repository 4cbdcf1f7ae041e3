import { asTyped } from "#app/records/evidence.ts";
import { countRecords } from "#app/records/kind.ts";
import { Instant } from "#app/records/record-facts.tsx";
import type { Toast } from "#app/server/flash.ts";
import { lineWith, PublicLayout, State } from "#app/ui/page.tsx";
import { endText, LINK_ENDS, LINK_FAILURE, linkEndedText } from "#app/verification/link-ends.ts";
import type { ItemView, LinkView, MailboxActs } from "#app/verification/link-view.server.ts";
import { verificationOf } from "#app/verification/record.ts";
import { DamagedLink, UnknownForm, UnknownTechnician } from "./verify-one.tsx";

interface EndedScreenProps {
  token: string;
  /** The address of the link, with the secret of the mailed one if it was opened by that. */
  action: string;
  link: LinkView;
  acts: MailboxActs;
  timeZone: string;
  toast?: Toast | null | undefined;
}

const OWN_EXPIRED = "This link has expired. Request the verification again to get a new link.";

/** The page of a link that cannot be used: why, and who has decided what. An answered link has a page of its own. */
export function EndedScreen({ token, action, link, acts, timeZone, toast }: EndedScreenProps) {
  const { ended, isSeveral, isOwn, items } = link;
  const hasAnswer = !isSeveral && items.some(({ state, record }) => state === "declined" || record.record.verified);
  return (
    <PublicLayout toast={toast}>
      <h1>Verification Failed</h1>
      <p>{LINK_FAILURE}</p>
      {ended && (
        <p>
          {ended === "expired" && isOwn ? OWN_EXPIRED : linkEndedText(ended, isSeveral)}
          {link.user.name && lineWith(" The technician is ", link.user.name, ".")}
        </p>
      )}
      <DamagedLink acts={acts} hasEnded />
      {acts.newLinkTo && <NewLink email={acts.newLinkTo} />}
      {link.state === "unknown" && !isOwn && !acts.newLinkTo && (!ended || ended === "expired") && (
        <p>
          Are records waiting for you? <a href="/inbox">Send yourself a link to all of them</a>
        </p>
      )}
      {isSeveral && items.length > 0 && <p>All records of this request are decided. Nothing more to do.</p>}
      {isSeveral ? (
        <Decisions items={items} timeZone={timeZone} />
      ) : (
        items.map((item) => <Decision key={item.shown} item={item} timeZone={timeZone} />)
      )}
      {hasAnswer && (
        <p>
          <a href={`/success?token=${token}`}>See the {items[0]?.state === "declined" ? "answers" : "verification"}</a>
        </p>
      )}
      <DisownLink href={acts.disownHref} link={link} />
      {acts.canRefuse && (
        <>
          <UnknownTechnician name={link.user.name || "the technician"} hasEnded />
          <UnknownForm action={action} />
        </>
      )}
    </PublicLayout>
  );
}

/**
 * Shows the form for a new link after an expired one: the call of the inbox, which mails a link to the open requests of
 * the address, and to no other address.
 */
function NewLink({ email }: { email: string }) {
  return (
    <form method="post" action="/inbox">
      <input type="hidden" name="email" value={email} />
      <p>If the technician has asked you again since, we send a new link to your address.</p>
      <button type="submit">Send me a new link</button>
    </form>
  );
}

/** The way back for a supervisor who came by the mailed link, to the page that asks before it takes anything back. */
export function DisownLink({ href, link: { isSeveral, items } }: { href: string | null; link: LinkView }) {
  if (!href) return null;
  const isTheirs = items.every(({ state, record }) => state !== "verified" || record.record.verifiedVia === "mailbox");
  return (
    <p>
      <a href={href}>
        {isTheirs
          ? `I verified ${isSeveral ? "some of these" : "this"} by mistake`
          : "This was not me, or it was a mistake"}
      </a>
    </p>
  );
}

/** Shows which supervisor has decided about the one record of a link, and when. */
function Decision({
  item: { record, state, cause, reason, decidedAt, decidedBy },
  timeZone,
}: {
  item: ItemView;
  timeZone: string;
}) {
  const verification = verificationOf(record.record);
  if (verification) {
    return (
      <>
        <p>
          {record.record.hours === undefined ? "This is" : "These hours are"} verified already, so all is well. There is
          nothing for you to do.
        </p>
        <p>
          <State of="verified">
            Verified by <b dir="auto">{asTyped(verification.by)}</b> on{" "}
            <Instant at={verification.at} timeZone={timeZone} />.
          </State>
        </p>
      </>
    );
  }
  if (state !== "declined") return cause && <p>{LINK_ENDS[cause].supervisor}</p>;
  return (
    <>
      <p>This record was answered already. There is nothing for you to do.</p>
      <p>
        <State of="declined">
          Declined by <b dir="auto">{decidedBy ?? "the supervisor"}</b>
          {decidedAt && (
            <>
              {" on "}
              <Instant at={decidedAt} timeZone={timeZone} />
            </>
          )}
          .
        </State>
      </p>
      {reason && (
        <p>
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
    </>
  );
}

/** Shows the outcome for each record of a request. */
export function Decisions({ items, timeZone }: { items: ItemView[]; timeZone: string }) {
  return (
    <ul>
      {(["verified", "declined"] as const).map((state) => (
        <Answers key={state} items={items.filter((item) => item.state === state)} state={state} timeZone={timeZone} />
      ))}
      <EndedItems items={items} />
    </ul>
  );
}

interface AnswersProps {
  state: "verified" | "declined";
  items: ItemView[];
  timeZone: string;
}

/** Shows how many records have this answer, by whom and when the last one was given. */
function Answers({ state, items, timeZone }: AnswersProps) {
  if (items.length === 0) return null;
  const names = [...new Set(items.flatMap(({ decidedBy }) => decidedBy ?? []))];
  const last = items.flatMap(({ decidedAt }) => decidedAt ?? []).reduce((one, other) => (one > other ? one : other));
  return (
    <li>
      <State of={state}>
        {`${countRecords(items.length)} ${state}`}
        {names.length === 1 && (
          <>
            {" by "}
            <b dir="auto">{names[0]}</b>
          </>
        )}
        {" on "}
        <Instant at={last} timeZone={timeZone} />
      </State>
    </li>
  );
}

/** Shows how many records left the request without an answer through it, by the cause. */
export function EndedItems({ items }: { items: ItemView[] }) {
  const causes = items.flatMap(({ state, cause }) => (state === "ended" && cause ? [cause] : []));
  return [...new Set(causes)].map((cause) => (
    <li key={cause}>{endText(cause, causes.filter((one) => one === cause).length, "supervisor")}</li>
  ));
}
