import { type AppLoadContext, data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import type { NoticeUse } from "#app/supervisor-mail/notice.server.ts";
import mailboxStyles from "#app/verification/notices/mailbox.css?inline";
import { ConfirmScreen, DisownScreen } from "#app/verification/notices/mailbox-screens.tsx";
import { BOXES, confirm, disown, findNotice } from "#app/verification/notices/notice-answers.server.ts";
import { confirmForm, confirmWholeForm, disownForm, disownWholeForm } from "#app/verification/verification.schema.ts";

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

export default function Notice() {
  const answer = useActionData<typeof action>();
  const { use, ...facts } = useLoaderData<typeof loader>();
  const Screen = use === "confirm" ? ConfirmScreen : DisownScreen;
  return <Screen {...facts} reply={answer?.reply} toast={answer?.failure} />;
}
