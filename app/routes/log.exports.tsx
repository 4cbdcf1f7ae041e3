import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/accounts/access.server.ts";
import { askForName } from "#app/accounts/details.server.ts";
import { SignedInLayout } from "#app/accounts/layout.tsx";
import { isCalendarDate } from "#app/calendar-date.ts";
import { FORM_NAMES } from "#app/db/enumerations.ts";
import { AppError } from "#app/errors.ts";
import { buttonAction } from "#app/forms/button-action.server.ts";
import { newFormKey, parseFormKey } from "#app/forms/form-key.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { ChoiceScreen } from "#app/pdf/export-screen.tsx";
import type { Choice } from "#app/pdf/forms.ts";
import { FAILED, FORMS, formsBelow } from "#app/pdf/forms.ts";
import { createExport } from "#app/proof/create-export.server.ts";
import { choiceSchema, toastOf } from "#app/proof/verified-records.server.ts";
import { kindOf } from "#app/records/all-kinds.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInCss from "#app/signed-in.css?inline";
import css from "#app/styles.css?inline";
import choiceCss from "#app/supervisors/supervisor-choice.css?inline";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";

export const handle = { heavy: true, script: true, css: css + signedInCss + choiceCss } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Export a form · Hours Tracker" }];

/** Where one chooses the form, the dates and the supervisor of an export. */
export const loader = page(async ({ request, context }) => {
  const { path, tab } = kindOf(context);
  const { user, supervisors } = await requireUser(context, (owner, db) => ({
    supervisors: listSupervisors(db, owner, { on: "page" }),
  }));
  await askForName(context, request, user);
  return {
    user,
    choice: chosenBefore(context.url.searchParams, path),
    path,
    tab,
    name: user.name,
    formKey: newFormKey(user.id),
    // One for each address: its records are the same.
    supervisors: supervisors
      .filter(({ email }, index) => supervisors.findIndex((other) => other.email === email) === index)
      .map(({ id, name, company }) => ({ id, name, company })),
  };
});

/** Returns the choice in the address of the page; a value that its field does not allow is left out. */
function chosenBefore(query: URLSearchParams, path: string): Choice {
  const day = (name: string) => [query.get(name) ?? ""].find(isCalendarDate) ?? null;
  const form = FORM_NAMES.find((name) => name === query.get("form")) ?? formsBelow(path)[0] ?? "ojt";
  return { form, from: day("from"), to: day("to"), supervisorId: query.get("supervisorId") };
}

/**
 * The action of the export button of a log and of the page that chooses, for browsers without script: makes an export,
 * once for each `key` of the form, and leads to its page to print. A refusal leads back to the page with the button,
 * with all that was chosen there.
 */
export const action = buttonAction(
  {
    failed: { title: FAILED.title, text: FAILED.text ?? "" },
    failureHref: ({ context }) => kindOf(context).path,
  },
  async ({ request, context }) => {
    const { path } = kindOf(context);
    const { key: sent, ...fields } = Object.fromEntries(await readForm(request));
    const key = parseFormKey(typeof sent === "string" && sent ? sent : undefined);
    const chosen = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string");
    const back = chosen.length > 0 ? `${path}/exports?${new URLSearchParams(chosen)}` : path;
    const choice = choiceSchema.safeParse({ form: formsBelow(path)[0], ...fields });
    try {
      if (!choice.success) throw new AppError("invalid", choice.error.issues[0]?.message ?? "This cannot be exported.");
      const { id } = await createExport(context, choice.data, key);
      return await redirectTo(context, `${FORMS[choice.data.form].log}/print/${id}`);
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 401) throw error;
      return redirectTo(context, back, { toast: toastOf(error) });
    }
  },
);

export default function Exports() {
  const { user: _, tab, ...choice } = useLoaderData<typeof loader>();
  return (
    <SignedInLayout current={tab}>
      <ChoiceScreen {...choice} />
    </SignedInLayout>
  );
}
