import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { kindNamed } from "#app/records/all-kinds.ts";
import { asTyped, isSameName, SAME_NAME } from "#app/records/evidence.ts";
import { countRecords } from "#app/records/kind.ts";
import { Instant, RecordFacts } from "#app/records/record-facts.tsx";
import { ViaText } from "#app/records/via.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { PublicLayout, State } from "#app/ui/page.tsx";
import { findVerifyLink } from "#app/verification/answer/answer-request.server.ts";
import { DisownLink, EndedItems } from "#app/verification/answer/ended-screen.tsx";
import { LINK_ENDS } from "#app/verification/link-ends.ts";
import { type ItemView, type LinkView, visibleLink } from "#app/verification/link-view.server.ts";
import lookStyles from "#app/verification/look.css?inline";
import { notBegunMessage, verificationId, verificationOf } from "#app/verification/record.ts";
import recordsStyles from "#app/verification/records.css?inline";
import { SumsTable, sumsByGroup } from "#app/verification/sums.tsx";

export const handle = { access: "public", secret: true, css: cssOf } satisfies RouteHandle;

/** Only what a link shows needs these sheets. */
function cssOf(data: unknown): string {
  const { link } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  return styles + (link?.items.length ? lookStyles : "") + (link?.isSeveral ? recordsStyles : "");
}

export const meta: MetaFunction = () => [{ title: "Verification · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const link = visibleLink(await findVerifyLink(context, token), { past: true });
  const back = context.flash?.takeBack;
  // For a supervisor who has just answered by the mailed link.
  const disownHref = back?.startsWith(`/disown/${token}?`) ? back : null; // not that of another link
  const isMailOn = context.mail.isConfigured;
  return data(
    { token, link, disownHref, isMailOn, timeZone: context.timeZone },
    { status: isAnswered(link) ? 200 : 404 },
  );
});

/** Whether there is an answer to show: the one record is verified or declined, or some of several are. */
function isAnswered({ isSeveral, items }: LinkView): boolean {
  return items.some(
    ({ state, cause, record }) =>
      isDecided(state) || cause === "unknown_technician" || (!isSeveral && record.record.verified),
  );
}

type Facts = ReturnType<typeof useLoaderData<typeof loader>>;

/** The page after an answer: what was verified or declined, by whom, when, and the ID to quote. */
export default function Success() {
  const { token, link, disownHref, isMailOn, timeZone } = useLoaderData<typeof loader>();
  const { isSeveral, items } = link;
  const [item] = items;
  if (!item || !isAnswered(link)) {
    return (
      <PublicLayout>
        <h1>Verification Error</h1>
        <p>No verification details available. This may be an invalid link or the verification has expired.</p>
        {item?.cause && <p>{LINK_ENDS[item.cause].supervisor}</p>}
      </PublicLayout>
    );
  }
  const verified = items.filter(({ state, record }) => (isSeveral ? state === "verified" : record.record.verified));
  return (
    <PublicLayout>
      <h1>{verified.length > 0 ? "Verification Complete" : "Answer Received"}</h1>
      {byAnswer(verified).map((answered, _index, answers) => (
        <Verifier
          key={answered[0]?.shown}
          answered={answered}
          isOneOfSeveral={answers.length > 1}
          token={token}
          link={link}
          timeZone={timeZone}
        />
      ))}
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
      <DisownLink href={disownHref} link={link} />
      {!disownHref && verified.some(({ record }) => record.record.verifiedVia === "mailbox") && (
        <p className="hint">Was it a mistake? Open the link in your email again, and say so there.</p>
      )}
      {isMailOn && verified.some(({ isTold }) => isTold) && (
        <p className="hint">
          The address that was asked gets an email about this, tomorrow at the latest, with a way to take it back.
        </p>
      )}
      <p className="hint">You can close this page.</p>
    </PublicLayout>
  );
}

function isDecided(state: ItemView["state"]): boolean {
  return state === "verified" || state === "declined";
}

/** The items of each answer through the link, the first answer first. */
function byAnswer(verified: ItemView[]): ItemView[][] {
  const timeOf = ({ record }: ItemView) => record.record.verifiedAt?.getTime() ?? 0;
  const times = [...new Set(verified.map(timeOf))].sort((one, other) => one - other);
  return times.map((time) => verified.filter((item) => timeOf(item) === time));
}

interface VerifierProps extends Pick<Facts, "token" | "link" | "timeZone"> {
  /** The records that were verified in one answer. */
  answered: ItemView[];
  isOneOfSeveral: boolean;
}

/**
 * Shows the supervisor of one answer, the records, the time and the verification ID. Both stay as they are when more is
 * answered through the link later.
 */
function Verifier({ answered, isOneOfSeveral, token, link: { isSeveral, supervisor }, timeZone }: VerifierProps) {
  const [item] = answered;
  const verification = item && verificationOf(item.record.record);
  if (!verification) return null;
  const { verifiedVia, confirmedAt } = item.record.record;
  return (
    <>
      <p className="lead">
        <State of="verified">
          {isOneOfSeveral ? `${countRecords(answered.length)} verified by ` : "Verified by "}
          <b dir="auto">{asTyped(verification.by)}</b> on <Instant at={verification.at} timeZone={timeZone} />,{" "}
          <ViaText via={verifiedVia} domain={supervisor.domain} confirmedAt={isSeveral ? null : confirmedAt} />
        </State>
      </p>
      {isSameName(verification.by, item.record.user.name) && (
        <p>
          <State of="look">{SAME_NAME}</State>
        </p>
      )}
      <p>
        Verification ID <b className="code">{verificationId(token, verification.at)}</b>
      </p>
    </>
  );
}

/** Shows the records that were not verified: how many were declined, are left for later, or were decided elsewhere. */
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
            {countRecords(declined)} declined. <bdi>{name || "The technician"}</bdi> sees it, with your reason.
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
