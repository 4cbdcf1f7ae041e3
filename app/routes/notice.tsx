import { useForm } from "@conform-to/react";
import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { AppError } from "#app/errors.ts";
import { Field, type Reply } from "#app/forms/field.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { asTyped, STATEMENT_NAMES, statedText } from "#app/records/evidence.ts";
import { countRecords } from "#app/records/kind.ts";
import type { Toast } from "#app/server/flash.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import type { NoticeUse } from "#app/supervisor-mail/notice.server.ts";
import { DoneNotice, PublicLayout } from "#app/ui/page.tsx";
import mailboxStyles from "#app/verification/notices/mailbox.css?inline";
import { BOXES, confirm, disown, findNotice, type Notice } from "#app/verification/notices/notice-answers.server.ts";
import { itemKey, ownNotice } from "#app/verification/record.ts";
import { RecordCells } from "#app/verification/record-cells.tsx";
import {
  checkedKeys,
  confirmForm,
  confirmWholeForm,
  disownForm,
  disownWholeForm,
  REASON_MAX,
} from "#app/verification/verification.schema.ts";

/**
 * The two links of a notice to a supervisor: `/disown/{token}` and `/confirm/{token}`. `/disown/{token}?back=` with the token
 * of a request takes back what was verified through it.
 */
export const handle = {
  access: "public",
  secret: true,
  heavy: true,
  keepsForm: true,
  css: styles + mailboxStyles,
} satisfies RouteHandle;

const TITLES: Record<NoticeUse, string> = { disown: "Disown records", confirm: "Confirm records" };

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? TITLES[data.use] : "Records"} · Hours Tracker` },
];

/** By the matched route (app/routes.ts), because a URL can be spelled in many ways. A token is signed for one of the two. */
function useOf({ routeId }: AppLoadContext): NoticeUse {
  return routeId === "confirm" ? "confirm" : "disown";
}

/** The path of a link, which keeps the secret that takes back what was verified through a request. */
function noticePath(use: NoticeUse, token: string, { url }: AppLoadContext): string {
  const back = url.searchParams.get("back");
  return `/${use}/${encodeURIComponent(token)}${back === null ? "" : `?back=${encodeURIComponent(back)}`}`;
}

export const loader = page(async ({ params, context }) => {
  const [token, use] = [mailedToken(params.token), useOf(context)];
  const before = parseId(context.url.searchParams.get("before")) || undefined;
  const path = noticePath(use, token, context);
  try {
    return data({ path, use, notice: await findNotice(context, use, token, { before }), failure: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return data({ path, use, notice: null, failure: error.message }, { status: error.status });
  }
});

const FAILED = "An error occurred. Please try again.";

export const action = formAction(
  { failed: FAILED, errorPage: FAILED, showsErrors: true },
  async ({ request, params, context }, form) => {
    const [token, use] = [mailedToken(params.token), useOf(context)];
    const sent = await readForm(request, BOXES);
    const isWhole = sent.has("whole");
    if (use === "confirm") {
      await confirm(context, token, form.parse(sent, isWhole ? confirmWholeForm : confirmForm));
    } else {
      await disown(context, token, form.parse(sent, isWhole ? disownWholeForm : disownForm));
    }
    return redirectTo(context, noticePath(use, token, context));
  },
);

export default function NoticePage() {
  const answer = useActionData<typeof action>();
  const { use, ...facts } = useLoaderData<typeof loader>();
  const Screen = use === "confirm" ? ConfirmScreen : DisownScreen;
  return <Screen {...facts} reply={answer?.reply} toast={answer?.failure} />;
}

interface NoticeScreenProps {
  /** The path of the link. */
  path: string;
  notice: Notice | null;
  /** Why the link does not work. */
  failure: string | null;
  reply: Reply;
  toast: Toast | null | undefined;
}

/** Names the records that were verified in a supervisor's name, and asks before it disowns those that are chosen. */
function DisownScreen({ path, notice, failure, reply, toast }: NoticeScreenProps) {
  const [form, fields] = useForm<{ reason: string; records: string }>({ id: "disown", lastResult: reply });
  if (!notice) return <NoticeFailure title="Disown records" failure={failure} />;
  const { count, notified, answered, supervisor } = notice;
  const done =
    answered > 0
      ? `${countRecords(answered)} ${answered === 1 ? "is" : "are"} no longer verified. We have told the technician.`
      : "These records no longer exist.";
  return (
    <PublicLayout toast={toast}>
      <h1>{count === 0 ? "Disown records" : "Did you verify these?"}</h1>
      {(count === 0 || answered > 0) && <DoneNotice text={done} />}
      {count > 0 && (
        <>
          <p>
            {`${countRecords(count)} ${count === 1 ? "was" : "were"} verified in the name of `}
            <b dir="auto">{supervisor.name ?? "this address"}</b>. If it was not you, or you verified by mistake, say so
            here: they are unverified again at once, and we tell the technician.
          </p>
          <NoticeForm path={path} id={form.id} {...{ notice, reply }} errors={fields.records.errors}>
            <Field field={fields.reason} label="What happened (Optional)" maxLength={REASON_MAX} />
            <button type="submit" className="danger tall">
              {`I did not verify ${count === 1 ? "this" : "the chosen records"}`}
            </button>
            <button type="submit" name="mistake" value="1" className="danger tall">
              {`I verified ${count === 1 ? "this" : "the chosen records"} by mistake`}
            </button>
            {isLong(notice) && notified > 0 && (
              <button type="submit" name="whole" value="1" className="danger tall">
                {`I did not verify any of the ${countRecords(notified)}${notified < count ? " that the email told of" : ""}`}
              </button>
            )}
          </NoticeForm>
        </>
      )}
    </PublicLayout>
  );
}

/** Names the records that were verified by a link in a supervisor's name, and asks before it confirms those that are chosen. */
function ConfirmScreen({ path, notice, failure, reply, toast }: NoticeScreenProps) {
  const [form, fields] = useForm<{ records: string }>({ id: "confirm", lastResult: reply });
  if (!notice) return <NoticeFailure title="Confirm records" failure={failure} />;
  const { supervisor, domain, count, answered } = notice;
  const done =
    answered > 0
      ? `${countRecords(answered)} ${answered === 1 ? "is" : "are"} confirmed. Thank you.`
      : "No record that was verified by a link is left to confirm.";
  return (
    <PublicLayout toast={toast}>
      <h1>{count === 0 ? "Confirm records" : "Did you verify these?"}</h1>
      {(count === 0 || answered > 0) && <DoneNotice text={done} />}
      {count > 0 && (
        <>
          <p>
            {`${countRecords(count)} ${count === 1 ? "was" : "were"} verified in the name of `}
            <b dir="auto">{supervisor.name ?? "this address"}</b>, by a link that anyone could have used. If it was you,
            confirm them: each record then says that it was confirmed from {domain ?? "your mailbox"}.
          </p>
          <NoticeForm path={path} id={form.id} {...{ notice, reply }} errors={fields.records.errors}>
            <button type="submit" className="tall">
              {`Yes, I verified ${count === 1 ? "this" : "these"}`}
            </button>
            {isLong(notice) && (
              <button type="submit" name="whole" value="1" className="tall">
                {`Yes, I verified all ${countRecords(count)}`}
              </button>
            )}
            <p className="hint">
              If you did not verify some of them, clear their boxes, and open <i>This was not me</i> in the same email.
            </p>
          </NoticeForm>
        </>
      )}
    </PublicLayout>
  );
}

/** Whether a notice has more records than a page shows. */
function isLong({ records, count }: Notice): boolean {
  return count > records.length;
}

interface NoticeFormProps extends RecordBoxesProps {
  path: string;
  id: string;
  /** The fields and buttons below the records. */
  children: ReactNode;
}

/** A page of the records with their boxes, and what answers them. The technician whose records they are only reads them. */
function NoticeForm({ path, id, children, ...boxes }: NoticeFormProps) {
  const { isOwn, next, records, count } = boxes.notice;
  const pages = isLong(boxes.notice) && (
    <p className="hint">
      {`These are ${records.length} of ${countRecords(count)}, the newest first. `}
      {next === null ? <a href={path}>Show the newest</a> : <a href={`${path}?before=${next}`}>Show older ones</a>}
    </p>
  );
  if (isOwn) {
    return (
      <>
        <p className="alert">{ownNotice(records)}</p>
        <RecordBoxes {...boxes} />
        {pages}
      </>
    );
  }
  return (
    <form method="post" action={path} id={id} noValidate>
      <RecordBoxes {...boxes} />
      {pages}
      {children}
    </form>
  );
}

function NoticeFailure({ title, failure }: { title: string; failure: string | null }) {
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p className="alert">{failure}</p>
    </PublicLayout>
  );
}

interface RecordBoxesProps {
  notice: Notice;
  reply: Reply;
  errors: string[] | undefined;
}

/** The records of a notice, each with a box that is checked to begin with. One alone has none. */
function RecordBoxes({ notice: { records, count, isOwn }, reply, errors }: RecordBoxesProps) {
  const hasBoxes = count > 1 && !isOwn;
  const checked = reply?.initialValue ? checkedKeys(reply.initialValue) : null;
  return (
    <div className="records">
      {errors && (
        <p className="wrong" role="alert">
          {errors[0]}
        </p>
      )}
      <ol>
        {records.map((one, index) => {
          const key = itemKey(one.kind, one.record.id);
          return (
            <li key={key} className={hasBoxes ? "boxed" : undefined}>
              {/* By its name: another record may have come to this link since. */}
              {!hasBoxes && !isOwn && <input type="hidden" name={`records[${index}].key`} value={key} />}
              {hasBoxes && (
                <label>
                  <input
                    type="checkbox"
                    name={`records[${index}].key`}
                    value={key}
                    defaultChecked={checked?.has(key) ?? true}
                    aria-labelledby={`r${index}`}
                  />
                </label>
              )}
              <RecordCells id={`r${index}`} record={one} />
              <p className="hint">
                <bdi>{one.user.name ?? "A technician"}</bdi>, verified as{" "}
                <bdi>{asTyped(one.record.verifiedBy ?? "")}</bdi>
              </p>
              {isStated(one.stated) && (
                <p>
                  Stated: <bdi>{statedText(one.stated, one.kind)}</bdi>
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function isStated(stated: Notice["records"][number]["stated"]): boolean {
  return Boolean(stated.certification) || STATEMENT_NAMES.some((name) => stated[name]);
}
