import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import adminStyles from "#app/admin/admin.css?inline";
import { SERVICE_TOKENS_PATH } from "#app/admin/service-tokens.server.ts";
import {
  type FailedEmail,
  formatBytes,
  fullness,
  isBackupLate,
  isTimerLate,
  REASONS,
  type System,
  type SystemPage,
  sendAgain,
  systemPage,
} from "#app/admin/system.server.ts";
import { AdminTabs, SYSTEM_PATH } from "#app/admin/view.tsx";
import { MESSAGES } from "#app/db/enumerations.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { Fact, Instant } from "#app/records/record-facts.tsx";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { RUNTIME_DAYS } from "#app/server/version.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { counted } from "#app/ui/counted.ts";
import { State, type StateName } from "#app/ui/page.tsx";

/** The state of the installation, for an admin, with *Send again* for emails that failed. */
export const handle = {
  script: true,
  fresh: true,
  css: styles + signedInStyles + adminStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "System · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { now, timeZone } = context;
  return { ...(await systemPage(context)), now, timeZone };
});

export const action = buttonAction(
  { failed: "Failed to send again. Please try again.", failureHref: () => SYSTEM_PATH },
  async ({ request, context }) => {
    const form = await readForm(request);
    const ids = String(form.get("messages") ?? "")
      .split(",")
      .map(parseId);
    const sent = await sendAgain(context, ids);
    const title = sent === 0 ? "They wait to be sent already" : `${counted(sent, "email")} will be sent again`;
    return redirectTo(context, SYSTEM_PATH, { toast: { kind: "success", title } });
  },
);

interface Shown extends SystemPage {
  now: Date;
  timeZone: string;
}

/** A part of the page: its name and state, the reading, and one thing to do. */
interface Part {
  title: string;
  state: StateName;
  words: string;
  /** Whether the operator should look at it: such parts come first. */
  isWrong: boolean;
  content: ReactNode;
  act?: ReactNode;
}

/** The state of the installation: what needs the operator comes first. */
export default function AdminSystem() {
  const props = useLoaderData<typeof loader>();
  const parts = [
    ...[mailPart(props), databasePart(props), backupsPart(props), logPart(props), timerPart(props)],
    ...[versionPart(props), settingsPart(props)],
  ];
  const wrong = parts.filter(({ isWrong }) => isWrong);
  const count =
    wrong.length === 0
      ? "Nothing needs you"
      : `${counted(wrong.length, "thing")} need${wrong.length === 1 ? "s" : ""} you`;
  const sorted = [...wrong, ...parts.filter(({ isWrong }) => !isWrong)];
  return (
    <SignedInLayout current="/admin">
      <h1>Admin</h1>
      <div className="results">
        <AdminTabs current="system" />
      </div>
      <div>
        <header className="apart head">
          <h2>System</h2>
          <b>{count}</b>
        </header>
        <div className="parts">
          {sorted.map(({ title, state, words, content, act }) => (
            <section key={title} aria-label={title}>
              <header>
                <h2>{title}</h2>
                <State of={state}>{words}</State>
              </header>
              <div className="reading">{content}</div>
              {act && <div className="act">{act}</div>}
            </section>
          ))}
          <section aria-label="Service tokens">
            <header>
              <h2>Service tokens</h2>
            </header>
            <p>
              A program of your company reads all users and records with one:{" "}
              <a href={SERVICE_TOKENS_PATH}>Service tokens</a>
            </p>
          </section>
          <section aria-label="Supervisors">
            <header>
              <h2>Supervisors</h2>
            </header>
            <p>
              Erase a supervisor's personal data from every account:{" "}
              <a href={`${SYSTEM_PATH}/erase-supervisor`}>Erase a supervisor</a>
            </p>
            <p>
              {stoppedText(props.system.mail.stopped)}{" "}
              <a href={`${SYSTEM_PATH}/allow-emails`}>Let emails go out again</a>
            </p>
          </section>
        </div>
      </div>
    </SignedInLayout>
  );
}

function stoppedText(n: number): string {
  if (n === 0) return "No address stopped all emails.";
  const stopped = n === 1 ? "1 address stopped all emails" : `${n} addresses stopped all emails`;
  return `${stopped}, by the link in one of them. They are stored as hashes, so type the address that asks:`;
}

function mailPart({ system: { mail }, open, timeZone }: Shown): Part {
  const { waiting, failed } = mail;
  const stopped = open.find(({ name, state }) => name === "Email" && state === "wrong");
  const isWrong = failed.length > 0 || stopped !== undefined;
  return {
    title: "Mail",
    state: isWrong ? "declined" : "done",
    words: failed.length > 0 ? `${failed.length} failed` : stopped ? "Emails do not go out" : "None failed",
    isWrong,
    content: (
      <ul className="lines">
        {stopped && (
          <li>
            {stopped.text} {stopped.note}
          </li>
        )}
        {failed.map((email) => (
          <FailedLine key={email.id} email={email} timeZone={timeZone} />
        ))}
        <li>
          {waiting === 0
            ? "No email waits to be sent."
            : `${counted(waiting, "email")} ${waiting === 1 ? "waits" : "wait"} to be sent.`}
        </li>
        {mail.changes.map((change) => (
          <li key={change.kind}>
            {`${CHANGES[change.kind]}, `}
            <Instant at={change.at} timeZone={timeZone} />
            {`: ${becameOf(change)}`}
          </li>
        ))}
      </ul>
    ),
    ...(failed.length > 1 && {
      act: (
        <form method="post" action={SYSTEM_PATH}>
          <button type="submit" name="messages" value={failed.map(({ id }) => id).join()} data-busy="Sending...">
            {`Send ${failed.length} again`}
          </button>
        </form>
      ),
    }),
  };
}

const CHANGES = { version: "New version", secret: "New SESSION_SECRET", restore: "Restore from a backup" } as const;

/** Says in words what happened to the emails that waited at a change. */
function becameOf({ kind, waiting, ended }: System["mail"]["changes"][number]): string {
  const before = kind === "secret" ? " Some links that were mailed before have ended: docs/security.md." : "";
  if (waiting === 0 && ended !== null) return `no email waited.${before}`;
  const waited = `${counted(waiting, "email")} waited`;
  if (ended === null) return `${waited} in the backup. None is sent until you decide: see below.`;
  if (ended > 0)
    return `${waited} in the backup and ended here, because they may have been sent before. Technicians can remind.`;
  return `${waited}, and ${waiting === 1 ? "is" : "are"} sent${kind === "secret" ? " with links of the new one" : ""}.${before}`;
}

function FailedLine({
  email: { id, kind, to, reason, at: ended },
  timeZone,
}: {
  email: FailedEmail;
  timeZone: string;
}) {
  return (
    <li className="apart">
      <span>
        {to ?? "An address that is erased"}
        <span className="hint">
          {MESSAGES[kind].about}. {REASONS[reason]} <Instant at={ended} timeZone={timeZone} />
        </span>
      </span>
      <form method="post" action={SYSTEM_PATH}>
        <button
          type="submit"
          name="messages"
          value={id}
          className="quiet"
          data-busy="Sending..."
          aria-label={`Send again to ${to ?? "an address that is erased"}`}
        >
          Send again
        </button>
      </form>
    </li>
  );
}

/** The advice at each level of a database that fills up. */
const ADVICE = {
  0: "",
  80: "From 90 % on new accounts and imports are refused: make room, or raise DATABASE_LIMIT. docs/scale.md has the ways.",
  90: "New accounts and imports are refused. Delete what is not needed, move, or raise DATABASE_LIMIT: docs/scale.md has the ways.",
  100: "New accounts and imports are refused, and at D1's own limit of 10 GB all else is. Delete what is not needed, move, or raise DATABASE_LIMIT: docs/scale.md has the ways.",
} as const;

function databasePart({ system: { database } }: Shown): Part {
  const { percent, level } = fullness(database);
  const { bytes, limit } = database;
  const size = formatBytes(bytes);
  return {
    title: "Database",
    state: level >= 90 ? "declined" : level >= 80 ? "requested" : "done",
    words: `${percent} % of its limit`,
    isWrong: level > 0,
    content: (
      <>
        <Bar part={bytes} whole={limit} label={`${percent} % of ${formatBytes(limit)}`} />
        <p>
          <b>{`${size} of ${formatBytes(limit)}.`}</b> {`${formatBytes(Math.max(0, limit - bytes))} left.`}{" "}
          {ADVICE[level]}
        </p>
      </>
    ),
  };
}

function backupsPart({ system: { backups }, isSelfHosted, open, now, timeZone }: Shown): Part {
  const title = "Backups";
  const known = backups.filter((one) => one.at !== null);
  if (!isSelfHosted && known.length === 0) {
    return {
      title,
      state: "done",
      words: "Time Travel",
      isWrong: false,
      content: <p>Cloudflare goes back to any minute of the last 30 days. It lists no backups.</p>,
    };
  }
  const item = open.find(({ name }) => name === "Backups");
  const isSetUp = !item;
  const [newest] = known;
  const isLate = isBackupLate(backups, now);
  return {
    title,
    state: isLate || !isSetUp ? "declined" : "done",
    words: newest?.at ? age(now, newest.at) : "None",
    isWrong: isLate || !isSetUp,
    content:
      backups.length === 0 ? (
        <p>{item ? item.text : "There is none yet."}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Made</th>
              <th>Where</th>
              <th className="number">Size</th>
            </tr>
          </thead>
          <tbody>
            {backups.map((one) => (
              <tr key={`${one.place} ${one.at?.getTime()}`}>
                <td>{one.at ? <Instant at={one.at} timeZone={timeZone} /> : "unknown"}</td>
                <td>{`${PLACES[one.place]}, ${one.encrypted ? "encrypted" : "not encrypted"}`}</td>
                <td className="number">{one.bytes === null ? "unknown" : formatBytes(one.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ),
  };
}

const PLACES: Record<System["backups"][number]["place"], string> = {
  folder: "this machine",
  s3: "the S3 store",
  time_travel: "Time Travel",
};

function logPart({ system: { logCheck }, running, found, timeZone }: Shown): Part {
  const faults = logCheck?.faults ?? 0;
  return {
    title: "Audit log",
    state: !logCheck ? "pending" : faults > 0 ? "declined" : "done",
    words: !logCheck ? "Not checked yet" : faults > 0 ? counted(faults, "fault") : "No fault found",
    isWrong: faults > 0,
    content: (
      <>
        {logCheck && (
          <p>
            {`${counted(logCheck.events, "event")}, checked in full on `}
            <Instant at={logCheck.at} timeZone={timeZone} />.
          </p>
        )}
        {found.length > 0 && (
          <ul className="lines">
            {found.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {running && (
          <>
            <Bar
              part={running.read}
              whole={Math.max(1, running.of)}
              label={`${running.read} of ${running.of} events`}
            />
            <p>{`A check is running: ${running.read.toLocaleString("en")} of ${counted(running.of, "event")}. It goes on each minute.`}</p>
          </>
        )}
        <p className="hint">
          It compares every record and checkpoint with the log, and the database's triggers with those of this version.
          Anyone who can change this app and its database can change both: a checkpoint kept elsewhere shows that, too
          (docs/proof.md).
        </p>
      </>
    ),
    ...(!running && {
      act: (
        <form method="post" action={`${SYSTEM_PATH}/log-check`}>
          <button type="submit" className="second" data-busy="Starting...">
            Check the log
          </button>
        </form>
      ),
    }),
  };
}

function timerPart({ system: { timer }, now, timeZone }: Shown): Part {
  const isLate = isTimerLate(timer, now);
  return {
    title: "Timer",
    state: isLate ? "declined" : "done",
    words: timer.lastRun ? (isLate ? `Last run ${age(now, timer.lastRun)}` : "Runs each minute") : "No run yet",
    isWrong: isLate,
    content: timer.lastRun ? (
      <p>
        {isLate ? "The last run in which everything worked was on " : "The last run was on "}
        <Instant at={timer.lastRun} timeZone={timeZone} />. It sends waiting emails, tidies up and checks the log.
      </p>
    ) : (
      <p>It sends waiting emails, tidies up and checks the log. It starts within a minute of the first request.</p>
    ),
  };
}

function versionPart({ system: { version, runtime }, runtimeDays }: Shown): Part {
  const isOld = (runtimeDays ?? 0) > RUNTIME_DAYS;
  return {
    title: "Version",
    state: isOld ? "declined" : "done",
    words: isOld ? `workerd is ${runtimeDays} days old` : version,
    isWrong: isOld,
    content: (
      <p>
        {runtime
          ? `${version}, with workerd ${runtime.version}, ${counted(runtimeDays ?? 0, "day")} old. `
          : `${version}, with the workerd of Cloudflare, which keeps it up to date.`}
        {isOld &&
          "Security fixes since then are missing: use a newer version of Hours Tracker, or make a new executable (docs/single-binary.md)."}
      </p>
    ),
  };
}

function settingsPart({ open }: Shown): Part {
  // What is wrong with emails and backups is counted in their own parts.
  const isWrong = open.some(({ name, state }) => state === "wrong" && name !== "Email" && name !== "Backups");
  return {
    title: "Not configured",
    state: isWrong ? "declined" : open.length > 0 ? "pending" : "done",
    words: open.length > 0 ? counted(open.length, "item") : "Everything is configured",
    isWrong,
    content: (
      <dl className="facts">
        {open.map(({ name, text, lines, note }) => (
          <Fact key={name} term={name}>
            {text} {note}
            {lines.map((line) => (
              <code key={line}>{line}</code>
            ))}
          </Fact>
        ))}
      </dl>
    ),
  };
}

/** A bar with graduations at each tenth, in ink: green stays what is verified. */
function Bar({ part, whole, label }: { part: number; whole: number; label: string }) {
  const width = `${Math.min(100, Math.round((part / whole) * 1000) / 10)}%`;
  return (
    <svg className="bar" height="32" role="img" aria-label={label}>
      <rect className="track" fill="none" y="1" width="100%" height="20" />
      <rect className="ink" y="1" width={width} height="20" />
    </svg>
  );
}

/** Returns how old something is: `3 minutes old`, `5 hours old`, `4 days old`. */
function age(now: Date, then: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - then.getTime()) / 60_000));
  if (minutes < 60) return `${counted(minutes, "minute")} old`;
  if (minutes < 48 * 60) return `${counted(Math.floor(minutes / 60), "hour")} old`;
  return `${counted(Math.floor(minutes / 60 / 24), "day")} old`;
}
