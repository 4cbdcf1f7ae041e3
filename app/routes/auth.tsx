import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { homePath, requireAnonymous } from "#app/accounts/access.server.ts";
import authStyles from "#app/accounts/auth.css?inline";
import { AuthScreen } from "#app/accounts/auth-screen.tsx";
import { nextPage } from "#app/accounts/next-page.ts";
import { authenticatorFor, startSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";

export const handle = { access: "public", script: true, css: styles + authStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [
  { title: "Hours Tracker" },
  { name: "description", content: "Log NDT training hours, have them verified, export the form." },
];

export const loader = page(async ({ context }) => {
  await requireAnonymous(context);
  return { notSaved: context.flash?.notSaved ?? null };
});

export const action = formAction(
  {
    failed: (error, _form, { request }) => fallback(error, isRegistration(request)),
    onAppError: (error, form) => form.showError(error),
  },
  async ({ request, context }, form) => {
    const isNew = isRegistration(request);
    form.parse(await readForm(request.clone()), isNew ? registrationSchema : credentialsSchema);
    const signedIn = await authenticatorFor(context).authenticate(isNew ? "register" : "login", request);
    return startSessionAndRedirect(context, nextPage(context.url) ?? homePath(signedIn.user), signedIn, isNew);
  },
);

function isRegistration({ url }: Request): boolean {
  return new URL(url).searchParams.get("tab") === "register";
}

/** The messages for unexpected errors (spec section 8). */
function fallback(error: unknown, isNew: boolean): string {
  if (!(error instanceof Error)) return "An unexpected error occurred";
  return isNew ? "Registration failed" : "Login failed";
}

export default function Auth() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const next = search.get("next");
  const tab = search.get("tab") === "register" ? "register" : "login";
  return <AuthScreen tab={tab} next={next} notSaved={useLoaderData<typeof loader>().notSaved} answer={answer} />;
}
