import { parseWithZod } from "@conform-to/zod/v4";
import type { MetaFunction } from "@remix-run/cloudflare";
import { data } from "@remix-run/cloudflare";
import { useActionData, useSearchParams } from "@remix-run/react";
import { homeOf, requireAnonymous } from "#app/accounts/access.server.ts";
import authStyles from "#app/accounts/auth.css?inline";
import { AuthScreen } from "#app/accounts/auth-screen.tsx";
import { authenticatorFor, welcome } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { AppError } from "#app/errors.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { logError } from "#app/server/logger.server.ts";
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
  return null;
});

export const action = page(async ({ request, context }) => {
  const isRegister = new URL(request.url).searchParams.get("tab") === "register";
  const form = await readForm(request.clone());
  const submission = parseWithZod(form, { schema: isRegister ? registrationSchema : credentialsSchema });
  // A password never comes back in a page.
  const reply = { hideFields: ["password"] };
  if (submission.status !== "success") return data({ reply: submission.reply(reply), message: null }, { status: 400 });

  try {
    const signedIn = await authenticatorFor(context).authenticate(isRegister ? "register" : "login", request);
    throw await welcome(context, homeOf(signedIn.user), signedIn, isRegister);
  } catch (error) {
    if (error instanceof Response) throw error;
    const refusal = error instanceof AppError ? error : null;
    if (!refusal) logError(error, request);
    const message = refusal?.message ?? fallback(error, isRegister);
    return data({ reply: submission.reply(reply), message }, { status: refusal?.status ?? 500 });
  }
});

/** What is said of a failure that no rule of ours explains (spec section 8). */
function fallback(error: unknown, isRegister: boolean): string {
  if (!(error instanceof Error)) return "An unexpected error occurred";
  return isRegister ? "Registration failed" : "Login failed";
}

export default function Auth() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  return <AuthScreen tab={search.get("tab") === "register" ? "register" : "login"} answer={answer} />;
}
