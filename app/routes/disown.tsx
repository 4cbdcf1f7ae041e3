import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import { redirectTo } from "#app/server/redirect.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { BOXES, disown, findNotice } from "#app/verification/telling/disown.server.ts";
import tellingStyles from "#app/verification/telling/telling.css?inline";
import { DisownScreen } from "#app/verification/telling/telling-screens.tsx";
import { disownForm, disownWholeForm } from "#app/verification/verification.schema.ts";

export const handle = {
  access: "public",
  secret: true,
  keepsForm: true,
  css: styles + tellingStyles,
} satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Disown records · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const token = params.token ?? "";
  try {
    return data({ token, notice: await findNotice(context, "disown", token), failure: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return data({ token, notice: null, failure: error.message }, { status: error.status });
  }
});

const FAILED = "An error occurred. Please try again.";

export const action = formAction(
  { failed: FAILED, errorPage: FAILED, showsErrors: true },
  async ({ request, params, context }, form) => {
    const sent = await readForm(request, BOXES);
    const schema = sent.has("whole") ? disownWholeForm : disownForm;
    await disown(context, params.token ?? "", async () => form.parse(sent, schema));
    return redirectTo(context, `/disown/${params.token}`);
  },
);

export default function Disown() {
  const answer = useActionData<typeof action>();
  return <DisownScreen {...useLoaderData<typeof loader>()} reply={answer?.reply} toast={answer?.failure} />;
}
