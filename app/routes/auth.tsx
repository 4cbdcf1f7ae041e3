import { useForm } from "@conform-to/react";
import { getZodConstraint } from "@conform-to/zod/v4";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import type { z } from "zod";
import { homePath, requireAnonymous } from "#app/accounts/access.server.ts";
import authStyles from "#app/accounts/auth.css?inline";
import { nextPage, SHIFT_PATH, signInPath } from "#app/accounts/next-page.ts";
import { authenticatorFor, startSessionAndRedirect } from "#app/accounts/sign-in.server.ts";
import { credentialsSchema, registrationSchema } from "#app/accounts/user.schema.ts";
import { Field, PasswordField } from "#app/forms/field.tsx";
import { type FormAnswer, formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import type { Flash, Toast as ToastMessage } from "#app/server/flash.ts";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { Alert, Mark, Toast } from "#app/ui/page.tsx";

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

type Answer = FormAnswer | undefined;

/** The sign-in page (spec section 2): two tabs, which are links, and the product's benefits. */
export default function Auth() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const { notSaved } = useLoaderData<typeof loader>();
  const next = search.get("next"); // the page to open afterwards, unchecked
  const tab = search.get("tab") === "register" ? "register" : "login";
  const login = signInPath(next);
  const register = `/auth?${new URLSearchParams({ tab: "register", ...(next !== null && { next }) })}`;
  return (
    <div className="auth">
      <main className="narrow">
        <Toast toast={failureToast(tab, answer)} isRepeated />
        <p className="brand">
          <Mark />
          Hours Tracker
        </p>
        {/* For a newcomer on a phone, where the panel below is not shown. */}
        <p className="hint">
          Log your NDT and rope hours, have your supervisor verify them, and keep a record that an auditor accepts.
        </p>
        {notSaved && <NotSaved what={notSaved} />}
        {next?.startsWith(SHIFT_PATH) && (
          <p className="notice">Log in or register. The form of your shift comes next.</p>
        )}
        <nav aria-label="Login or registration">
          <a href={login} aria-current={tab === "login" ? "page" : undefined}>
            Login
          </a>
          <a href={register} aria-current={tab === "register" ? "page" : undefined}>
            Register
          </a>
        </nav>
        {tab === "login" ? (
          <LoginForm action={login} answer={answer} />
        ) : (
          <RegisterForm action={register} answer={answer} />
        )}
        <p className="hint">
          Supervisor? <a href="/inbox">See what is waiting for you</a>. Checking a printed form?{" "}
          <a href="/check">Enter its code</a>.
        </p>
      </main>
      <aside>
        <AuthPicture />
        <h2>Streamline Your OJT Progress Tracking</h2>
        <ul>
          <li>Track your training hours by NDT method, from ET to LSI.</li>
          <li>Request verification from your supervisor: one link, no account, thirty seconds.</li>
          <li>Export your verified hours as a signed PDF form.</li>
          <li>Monitor your progress toward certification requirements.</li>
        </ul>
      </aside>
    </div>
  );
}

/**
 * Says why this page follows a form that was sent. Unlike a toast it stays. It does not show the typed text: no user is
 * signed in.
 */
function NotSaved({ what }: { what: NonNullable<Flash["notSaved"]> }) {
  return (
    <p className="alert" role="alert">
      {"You were signed out, so this was not saved. "}
      {what === "hours" ? (
        <>
          If this browser has kept your hours, they are sent once you log in.
          <noscript> Without JavaScript it has not: log in and send them again.</noscript>
        </>
      ) : (
        "Log in and send it again."
      )}
    </p>
  );
}

interface FormProps {
  action: string;
  answer: Answer;
}

/** The toast of a failed attempt. The form's alert, which is announced, has the same text. */
function failureToast(tab: "login" | "register", answer: Answer): ToastMessage | null {
  if (!answer?.failure) return null;
  return { ...answer.failure, title: tab === "login" ? "Login failed" : "Registration failed" };
}

function LoginForm({ action, answer }: FormProps) {
  const [form, fields] = useForm<z.input<typeof credentialsSchema>>({
    id: "login",
    lastResult: answer?.reply,
    constraint: getZodConstraint(credentialsSchema),
  });
  return (
    <form method="post" action={action} id={form.id} noValidate>
      <h1>Login</h1>
      <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
      <PasswordField field={fields.password} label="Password" autoComplete="current-password" />
      <Alert message={answer?.failure?.text} />
      <button type="submit" className="tall" data-busy="Logging in...">
        Log in
      </button>
      <p>
        <a href="/reset-password">Forgot password?</a>
      </p>
    </form>
  );
}

function RegisterForm({ action, answer }: FormProps) {
  const [form, fields] = useForm<z.input<typeof registrationSchema>>({
    id: "register",
    lastResult: answer?.reply,
    constraint: getZodConstraint(registrationSchema),
  });
  return (
    <form method="post" action={action} id={form.id} noValidate>
      <h1>Register</h1>
      <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
      <PasswordField
        field={fields.password}
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters."
      />
      <Field field={fields.name} label="Full Name (Optional)" autoComplete="name" />
      <Field field={fields.employeeNumber} label="Employee Number (Optional)" autoComplete="off" />
      <Alert message={answer?.failure?.text} />
      <button type="submit" className="tall" data-busy="Registering...">
        Register
      </button>
    </form>
  );
}

/** The hours of the picture's gauge and its rows; the data is invented. */
const LABELS = [
  [0, 57, 345],
  [30, 27, 213],
  [60, 76, 87],
  [90, 188, 10],
  [120, 324, 10],
  [150, 436, 87],
  [180, 485, 213],
  [210, 455, 345],
] as const;

const ROWS = [
  ["12 Nov 2026", "ET", "8.0", "Marcus Reed"],
  ["11 Nov 2026", "ET", "6.0", "Marcus Reed"],
  ["1 Oct 2026", "UT Thk.", "6.5", "Ingrid Solheim"],
] as const;

/**
 * The picture beside the sign-in form: a gauge of verified hours and three verified records. Its graduations are the
 * dashes of two wide arcs, whose length is 210 hours.
 */
function AuthPicture() {
  return (
    <svg
      viewBox="0 -12 512 486"
      role="img"
      aria-label="A gauge at 168.5 of 210 hours verified, and three verified records."
    >
      <g fill="none" strokeWidth="12">
        <path className="track" d="M110.5 308A168 168 0 1 1 401.5 308" />
        <path className="lit" d="M110.5 308A168 168 0 1 1 416.3 173.7" />
        <path className="glow" strokeDasharray="2 3" d="M416.3 173.7A168 168 0 0 1 422.7 244.9" />
        <path
          className="minor"
          strokeWidth="8"
          pathLength="210"
          strokeDasharray=".4 2.6"
          strokeDashoffset=".2"
          d="M89.7 320A192 192 0 1 1 422.3 320"
        />
        <path
          strokeWidth="20"
          pathLength="210"
          strokeDasharray=".5 29.5"
          strokeDashoffset=".25"
          d="M84.5 323A198 198 0 1 1 427.5 323"
        />
        <path strokeWidth="3" d="M389.6 182.1 458.3 160.5" />
      </g>
      <g textAnchor="middle">
        {LABELS.map(([hours, x, y]) => (
          <text key={hours} x={x} y={y}>
            {hours}
          </text>
        ))}
        <text className="reading" x="256" y="232">
          168.5
        </text>
        <text x="256" y="264">
          of 210 h verified
        </text>
        <text className="glow" x="256" y="288">
          21.5 h waiting
        </text>
      </g>
      {ROWS.map(([date, method, hours, supervisor], index) => (
        <g key={date} transform={`translate(0 ${364 + index * 36})`}>
          <path className="track" d="M0 0h512" />
          <text y="24">{date}</text>
          <rect className="minor" x="108" y="6" width="76" height="24" rx="2" fill="none" />
          <text x="146" y="24" textAnchor="middle">
            {method}
          </text>
          <text x="244" y="24" textAnchor="end">
            {hours}
          </text>
          <path className="lit" fill="none" strokeWidth="2.5" d="m274 18 4 5 8-10" />
          <text className="lit" x="296" y="24">
            Verified by {supervisor}
          </text>
        </g>
      ))}
    </svg>
  );
}
