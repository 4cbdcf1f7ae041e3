import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { SHIFT_PATH } from "#app/accounts/next-page.ts";
import { addDays, formatDate, toCalendarDate } from "#app/calendar-date.ts";
import { Island } from "#app/client/island.tsx";
import { AppError } from "#app/errors.ts";
import { SelectField } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { newFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { ENTRY_DETAILS, formDetails } from "#app/records/details.ts";
import { entryKind, entryRows, entryRules } from "#app/records/entry/entry.kind.ts";
import EntryForm from "#app/records/entry/entry-form.island.tsx";
import { withDayAndPlace } from "#app/records/entry/entry-rules.ts";
import { methodLabel } from "#app/records/entry/methods.ts";
import { ShareShift } from "#app/records/entry/share-shift.tsx";
import { CARD_MAX, CARD_TEXTS, type Card, cardText, readCard, writeCard } from "#app/records/entry/shift-card.ts";
import { Fact } from "#app/records/record-facts.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";
import { type QrPath, qrPath } from "#app/ui/qr-path.server.ts";
import { choiceQueries, supervisorsToAsk } from "#app/verification/requests/own-requests.server.ts";
import { CopyLinkButtons } from "#app/verification/requests/request-dialog.tsx";
import requestStyles from "#app/verification/requests/request-screen.css?inline";

/**
 * The page of a shift card (app/records/entry/shift-card.ts). GET opens one: the form of new hours, filled in from the fragment of
 * the address by a script, or from the query. POST makes one of a job, and stores nothing.
 */
export const handle = { script: "shift", css: styles + signedInStyles + requestStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Shift · Hours Tracker" }];

export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  const today = toCalendarDate(context.timeZone, context.now);
  const text = context.url.search.slice(1);
  const read = readCard(text, { today, own: user.email });
  const { jobNumber, ...job } = read.job;
  return {
    user,
    today,
    text,
    note: cardText(text ? read : { supervisor: {}, left: [] }),
    latest: addDays(today, 1),
    draft: { ...job, details: jobNumber ? { jobNumber } : ({} as Record<string, string>) },
    formKey: newFormKey(user.id),
    rules: entryRules,
    details: formDetails(ENTRY_DETAILS),
  };
});

/** The card of a job, as its page shows it. */
interface ShownCard extends Card {
  /** The link and its code, and those for a phone without JavaScript: a query, which has no address of the supervisor. */
  url: string;
  qr: QrPath;
  plainQr: QrPath;
  /** What had no room. */
  left: string[];
  /** The supervisors to choose from, and the address of the chosen one or "". */
  supervisors: [email: string, name: string][];
  to: string;
}

export const action = formAction<ShownCard>(
  { failed: "Failed to share the shift. Please try again." },
  async ({ request, context }, form) => {
    const rows = await requireUser(context, (owner, db) => choiceQueries(db, owner));
    const sent = withDayAndPlace(await readForm(request, entryRows));
    const fieldOf = (name: string) => String(sent.get(`entries[0].${name}`) ?? "").trim();
    if (fieldOf("location") === "") {
      throw new AppError("invalid", "A shift has at least a place. Go back, type it, and share the shift then.");
    }
    const supervisors = supervisorsToAsk(context, rows, { needs: entryKind.supervisorNeeds });
    const to = sent.get("supervisor");
    const chosen = supervisors.find(({ email, stranger }) => (to === null ? !stranger : email === to));
    const { name, email, phone, certificationLevel, company } = chosen ?? {};
    const card: Card = {
      job: {
        date: fieldOf("date"),
        location: fieldOf("location"),
        method: fieldOf("method"),
        jobNumber: fieldOf("details.jobNumber"),
      },
      supervisor: Object.fromEntries(
        Object.entries({ name, email, phone, certificationLevel, company }).flatMap(([field, value]) =>
          value ? [[field, value]] : [],
        ),
      ),
    };
    const today = toCalendarDate(context.timeZone, context.now);
    const address = `${context.origin}${SHIFT_PATH}`;
    const room = CARD_MAX - address.length - 1;
    const { text, left } = writeCard(card, room, today);
    const plain = writeCard({ ...card, supervisor: name ? { name } : {} }, room, today);
    return form.show({
      extra: {
        ...readCard(text, { today, own: rows.user.email }),
        left,
        url: `${address}#${text}`,
        qr: qrPath(`${address}#${text}`),
        plainQr: qrPath(`${address}?${plain.text}`),
        supervisors: supervisors.map((one) => [one.email, one.name]),
        to: email ?? "",
      },
    });
  },
);

export default function Shift() {
  const answer = useActionData<typeof action>();
  return (
    <SignedInLayout current={entryKind.tab}>
      {answer?.extra ? <CardOfShift {...answer.extra} /> : <OpenedCard />}
    </SignedInLayout>
  );
}

/** The form of new hours, filled in from a card. */
function OpenedCard() {
  const { user, today, text, note, latest, draft, formKey, rules, details } = useLoaderData<typeof loader>();
  const intros = [CARD_TEXTS.supervisor, CARD_TEXTS.left].join("|");
  return (
    <section aria-labelledby="new">
      <h1 id="new">{entryKind.texts.new.title}</h1>
      <p
        className="notice waiting"
        role="status"
        hidden={!text}
        data-own={user.email}
        data-latest={latest}
        data-intros={intros}
      >
        {note}
      </p>
      <p className="alert" role="status" hidden>
        {CARD_TEXTS.lost}
      </p>
      {!text && (
        <noscript>
          <p className="alert">{CARD_TEXTS.lost} Without JavaScript, ask for the code for phones without it.</p>
        </noscript>
      )}
      <Island
        of={EntryForm}
        name="records/entry/entry-form"
        when="interaction"
        props={{
          userId: user.id,
          formKey,
          today,
          rules,
          details,
          drafts: text ? [draft] : [],
          card: text,
          saved: null,
          reply: null,
        }}
      />
      <p>
        <a href={entryKind.path}>Back to the log</a>
      </p>
    </section>
  );
}

/** The code and the link of a card, and what it holds. */
function CardOfShift({ job, supervisor, left, url, qr, plainQr, supervisors, to }: ShownCard) {
  const { date, location, method, jobNumber } = job;
  return (
    <section aria-labelledby="share" className="form">
      <h1 id="share">Share this shift</h1>
      <p className="hint">
        Your crew scans this code, and each of them types hours only. We keep nothing of it: the link holds all there
        is.
      </p>
      <figure>
        <Code qr={qr} label="QR code of the shift" />
        <figcaption className="hint">Let your crew scan this.</figcaption>
      </figure>
      <div className="field">
        <label htmlFor="link">Link of the shift</label>
        <input id="link" type="url" readOnly value={url} />
      </div>
      <div className="row">
        <CopyLinkButtons />
      </div>
      <noscript>
        <figure>
          <Code qr={plainQr} label="QR code for phones without JavaScript" />
          <figcaption className="hint">
            For phones without JavaScript. It goes through the server, so it leaves out the supervisor’s address.
          </figcaption>
        </figure>
      </noscript>
      {left.length > 0 && (
        <p className="notice waiting">{`Left out, as there is no room or it is wrong: ${left.join(", ")}.`}</p>
      )}
      <dl className="facts">
        {date && <Fact term="Job Date">{formatDate(date)}</Fact>}
        {location && (
          <Fact term="Job Location">
            <bdi>{location}</bdi>
          </Fact>
        )}
        {method && <Fact term="NDT Method">{methodLabel(method as Parameters<typeof methodLabel>[0])}</Fact>}
        {jobNumber && (
          <Fact term="Job or report No.">
            <bdi>{jobNumber}</bdi>
          </Fact>
        )}
        {supervisor.name && (
          <Fact term="Supervisor">
            <bdi>{supervisor.name}</bdi> {supervisor.email}
          </Fact>
        )}
      </dl>
      {supervisors.length > 0 && (
        <ShareShift job={job} className="form">
          <SelectField
            label="Supervisor on the card"
            field={{
              id: "supervisor",
              name: "supervisor",
              errors: undefined,
              errorId: "",
              initialValue: to,
              required: false,
            }}
            none="None"
            choices={supervisors}
          />
          <button type="submit" className="second" data-busy="Changing...">
            Change
          </button>
        </ShareShift>
      )}
      <p>
        <a href={entryKind.path}>Back to the log</a>
      </p>
    </section>
  );
}

function Code({ qr, label }: { qr: QrPath; label: string }) {
  return (
    <svg className="qr" viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label={label}>
      <path d={qr.path} />
    </svg>
  );
}
