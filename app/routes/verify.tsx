import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { toCalendarDate } from "#app/calendar-date.ts";
import { TooManyConflictsError } from "#app/db/client.server.ts";
import { formAction, type SubmittedForm } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { Failure } from "#app/ui/page.tsx";
import {
  type Answered,
  answerRequest,
  findVerifyLink,
  RecordChangedError,
} from "#app/verification/answer/answer-request.server.ts";
import answeredStyles from "#app/verification/answer/answered.css?inline";
import { type AnsweredFacts, AnsweredScreen, isAnswered } from "#app/verification/answer/answered-screen.tsx";
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
import { EndedScreen } from "#app/verification/answer/ended-screen.tsx";
import { noteOpening } from "#app/verification/answer/opening.server.ts";
import severalStyles from "#app/verification/answer/several.css?inline";
import verifyStyles from "#app/verification/answer/verify.css?inline";
import { VerifyOne, type VerifyScreenProps } from "#app/verification/answer/verify-one.tsx";
import { VerifySeveral } from "#app/verification/answer/verify-several.tsx";
import type { FoundLink, FoundRequest } from "#app/verification/link.server.ts";
import { askerOf, mailboxActs, mailedRequest, visibleLink } from "#app/verification/link-view.server.ts";
import { linkPath } from "#app/verification/record.ts";
import { addHundredths } from "#app/verification/sums.tsx";

export const handle = { access: "public", secret: true, keepsForm: true, css: cssOf } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verify · Hours Tracker" }];

/** The form has a sheet of its own, and so have the list of a request for several records and the answered link. */
function cssOf(data: unknown): string {
  const { link, acts, answered } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  if (answered) return styles + verifyStyles + answeredStyles;
  if (link?.state !== "open") return acts?.canRefuse ? styles + verifyStyles : styles;
  return styles + verifyStyles + (link.isSeveral ? severalStyles : "");
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
  const mailed = mailedRequest(context, link);
  const { name = null, certification = null } = mailed?.lastStated ?? {};
  const signed = view.state === "open" && name ? { name, certification } : null;
  const answered = isAnswered(view, acts) ? answeredFacts(context, mailed) : null;
  return data(
    { token, action, link: view, acts, asker, shown, signed, answered, timeZone: context.timeZone },
    { status: answered ? 200 : STATUS[link.state] },
  );
});

/** Returns the other open requests to the mailbox, for a visitor with the mailed link alone. */
function answeredFacts({ timeZone, now }: AppLoadContext, mailed: FoundRequest | null): AnsweredFacts {
  const waiting = (mailed?.waiting ?? []).map(({ id, technician, records, sums, requestedAt }) => ({
    ...{ id, technician, records, requestedAt },
    groups: sums.map(({ group }) => group),
    hundredths: addHundredths(sums.map(({ hundredths }) => hundredths)),
  }));
  return { waiting, today: toCalendarDate(timeZone, now) };
}

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
    // A visitor with the mailed link can close the mailbox to the technician after the end, too.
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

/** The page of a verification link: what is asked, one field and one button; what was answered; or why the link cannot be used. */
export function VerifyScreen(props: VerifyScreenProps & { answered?: AnsweredFacts | null }) {
  const { link, answered } = props;
  if (answered) return <AnsweredScreen {...props} answered={answered} />;
  if (link.state !== "open") return <EndedScreen {...props} />;
  if (link.isSeveral) return <VerifySeveral {...props} />;
  const [item] = link.items;
  // The server always sends the record; without it there is nothing to confirm (spec section 8).
  if (!item) return <Failure title="Invalid Data Format" text="This link's record could not be read." />;
  return <VerifyOne {...props} item={item} />;
}
