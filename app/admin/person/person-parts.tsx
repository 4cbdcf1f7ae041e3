import type { ReactNode } from "react";
import { recordsHref } from "#app/admin/view.tsx";
import { daysBetween, formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { FourParts } from "#app/certification/four-parts.tsx";
import { partsMet } from "#app/certification/target-section.tsx";
import { METHODS } from "#app/db/enumerations.ts";
import { KINDS } from "#app/records/all-kinds.ts";
import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { validityOf } from "#app/records/certificates/validity.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { HatchPattern } from "#app/records/gauge.tsx";
import { formatHours } from "#app/records/hours.ts";
import { hasField } from "#app/records/kind.ts";
import { counted } from "#app/ui/counted.ts";
import { State, type StateName } from "#app/ui/page.tsx";
import type { PersonPage } from "./person-page.server.ts";

/* The parts of the page of a person, for an admin. */

interface PartProps {
  page: PersonPage;
  timeZone: string;
}

/** Returns how many days a request has been open, at the admin's place. */
function daysSince(at: Date, { page: { today }, timeZone }: PartProps): number {
  return daysBetween(toCalendarDate(timeZone, at), today);
}

/** From this many days on an open request needs attention. */
const OLD_REQUEST_DAYS = 14;

interface Need {
  mark: StateName;
  words: string;
  href: string;
  link: string;
}

/** The things that need attention, the worst first; nothing if there are none. */
export function Needs(props: PartProps) {
  const { person, sums, requests, certificates, today } = props.page;
  const needs: Need[] = KINDS.flatMap((kind): Need[] => {
    const declined = sums.find((sum) => sum.kind === kind.name)?.declined ?? 0;
    if (declined === 0) return [];
    const words = `${counted(declined, "record")} declined`;
    return [{ mark: "declined", words, href: recordsHref(kind, person.id), link: kind.adminTexts.label }];
  });
  const old = requests.filter(({ requestedAt }) => daysSince(requestedAt, props) >= OLD_REQUEST_DAYS);
  const [oldest] = old;
  if (oldest) {
    const records = old.reduce((sum, request) => sum + request.records, 0);
    const words = `${counted(records, "record")} asked up to ${daysSince(oldest.requestedAt, props)} days ago`;
    needs.push({ mark: "requested", words, href: "#requests", link: "See requests" });
  }
  for (const certificate of certificates) {
    const { group, text } = validityOf(certificate, today);
    if (group !== "soon") continue;
    const words = `${certificate.title}: ${text.toLowerCase()}`;
    needs.push({ mark: "ends", words, href: "#certificates", link: "See certificates" });
    break;
  }
  if (needs.length === 0) return null;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">What needs attention</h2>
      <ul className="person-lines">
        {needs.map(({ mark, words, href, link }) => (
          <li key={words}>
            <State of={mark}>{words}</State>
            <a className="end" href={href}>
              {link}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The parts of the newest target, and how far each is. */
export function TargetParts({ page: { target, today } }: PartProps) {
  if (!target) return null;
  return (
    <section aria-labelledby="target">
      <header className="head">
        <h2 id="target">{target.target.title}</h2>
        <b>{partsMet(target.parts)}</b>
      </header>
      <FourParts progress={target} today={today} />
    </section>
  );
}

/** OJT hours by method on one scale: verified solid, the rest hatched. */
export function HoursByMethod({ page: { methods } }: PartProps) {
  const most = Math.max(1, ...methods.map(({ hundredths }) => hundredths));
  const percent = (part: number) => `${Math.round((part / most) * 10_000) / 100}%`;
  const listed = METHODS.flatMap((method) => methods.find((sum) => sum.method === method) ?? []);
  const total = (of: "hundredths" | "verified") => formatHours(listed.reduce((sum, one) => sum + one[of], 0));
  return (
    <section aria-labelledby="hours">
      <header className="head">
        <h2 id="hours">Hours by method</h2>
        <span className="hint">OJT, hatched: not verified yet</span>
      </header>
      {listed.length === 0 && <p className="empty">No OJT hours yet.</p>}
      {listed.length > 0 && (
        <table className="by">
          <thead>
            <tr>
              <th scope="col" className="name">
                NDT Method
              </th>
              <td className="bar" />
              <th scope="col">Verified</th>
              <th scope="col">Logged</th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ method, hundredths, verified }) => (
              <tr key={method}>
                <th scope="row">{method && <span className="plate">{methodLabel(method)}</span>}</th>
                <td className="bar">
                  <svg className="gauge" aria-hidden="true">
                    <rect className="track" y=".5" width="100%" height="9" />
                    <rect className="requested" y=".5" width={percent(hundredths)} height="9" />
                    <rect className="verified" width={percent(verified)} height="10" />
                  </svg>
                </td>
                <td>{formatHours(verified)}</td>
                <td>{formatHours(hundredths)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total Hours:</th>
              <td className="bar" />
              <td>{total("verified")}</td>
              <td>{total("hundredths")}</td>
            </tr>
          </tfoot>
        </table>
      )}
      <svg className="unseen" aria-hidden="true">
        <HatchPattern />
      </svg>
    </section>
  );
}

interface LineProps {
  title: ReactNode;
  state: ReactNode;
  details: string;
  more: string;
}

function Line({ title, state, details, more }: LineProps) {
  return (
    <li>
      {title}
      <span className="end">{state}</span>
      <span className="hint">{details}</span>
      <span className="hint end">{more}</span>
    </li>
  );
}

export function Certificates({ page: { person, certificates, today } }: PartProps) {
  return (
    <section aria-labelledby="certificates">
      <header className="head">
        <h2 id="certificates">Certificates and tests</h2>
        <span className="hint">soonest expiry first</span>
      </header>
      {certificates.length === 0 && <p className="empty">No certificates and tests yet.</p>}
      <ul className="person-lines">
        {certificates.map((certificate) => {
          const { id, title, number, issuer, expiresOn, verified } = certificate;
          const { mark, text } = validityOf(certificate, today);
          return (
            <Line
              key={id}
              title={
                <a href={`${certificateKind.adminPath}/${id}`} dir="auto">
                  {title}
                </a>
              }
              state={mark && mark !== "over" ? <State of={mark}>{text}</State> : <span>{text}</span>}
              details={[!verified && "not verified", number, issuer].filter(Boolean).join(", ")}
              more={expiresOn ? formatDate(expiresOn) : "no expiry"}
            />
          );
        })}
      </ul>
      <p>
        <a href={recordsHref(certificateKind, person.id)}>All certificates and tests</a>
      </p>
    </section>
  );
}

export function Requests(props: PartProps) {
  const { requests, hasMoreRequests } = props.page;
  return (
    <section aria-labelledby="requests">
      <header className="head">
        <h2 id="requests">Requests</h2>
        <span className="hint">{hasMoreRequests ? `the ${requests.length} oldest` : `${requests.length} open`}</span>
      </header>
      {requests.length === 0 && <p className="empty">No supervisor is asked.</p>}
      <ul className="person-lines">
        {requests.map(({ id, name, requestedAt, openedAt, records, hundredths }) => {
          const days = daysSince(requestedAt, props);
          return (
            <Line
              key={id}
              title={<b dir="auto">{name ?? "Erased"}</b>}
              state={<State of="requested">{days === 0 ? "Today" : counted(days, "day")}</State>}
              details={`${counted(records, "record")}, ${formatHours(hundredths)} h`}
              more={openedAt ? `Opened ${formatDate(toCalendarDate(props.timeZone, openedAt))}` : "Not opened"}
            />
          );
        })}
      </ul>
    </section>
  );
}

/** Shows how many records of each kind there are, and their hours, with the way to them. */
export function Records({ page: { person, sums } }: PartProps) {
  return (
    <section aria-labelledby="records">
      <h2 id="records">Records</h2>
      <ul className="person-lines">
        {KINDS.map((kind) => {
          const { count = 0, hundredths = 0 } = sums.find((sum) => sum.kind === kind.name) ?? {};
          return (
            <li key={kind.name}>
              <a href={recordsHref(kind, person.id)}>{kind === entryKind ? "OJT Hours" : kind.adminTexts.label}</a>
              <span className="end">
                {counted(count, "record")}
                {hasField(kind, "hours") && `, ${formatHours(hundredths)} h`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
