import type { FieldError } from "#app/errors.ts";
import { Field } from "#app/forms/field.tsx";
import { PublicLayout } from "#app/ui/page.tsx";

/** The two ways to the first admin: an account that is made, or one that is there. */
export type SetUpWay = "register" | "login";

interface SetUpScreenProps {
  /** What was sent last and how it failed. */
  failed?: { way: SetUpWay; values: Record<string, string>; errors: FieldError[]; message: string | null };
}

/** The page behind the set-up link of the executable. */
export function SetUpScreen({ failed }: SetUpScreenProps) {
  const fieldsOf = (way: SetUpWay) => (name: string) => {
    const mine = failed?.way === way ? failed : null;
    const errors = mine?.errors.filter(({ path }) => path === name).map(({ message }) => message);
    const id = `${way}-${name}`;
    return { id, name, errorId: `${id}-error`, errors, initialValue: mine?.values[name], required: false };
  };
  const alert = (way: SetUpWay) =>
    failed?.way === way &&
    failed.message && (
      <p className="alert" role="alert">
        {failed.message}
      </p>
    );
  const fresh = fieldsOf("register");
  const known = fieldsOf("login");
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>There is no admin yet. Whoever fills in this page becomes the first; then its link ends.</p>
      <form method="post" action="?as=register" className="form" noValidate>
        <h2>Make an account</h2>
        <Field field={fresh("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={fresh("password")} label="Password" type="password" autoComplete="new-password" />
        <Field field={fresh("name")} label="Full Name (Optional)" autoComplete="name" />
        <Field field={fresh("employeeNumber")} label="Employee Number (Optional)" autoComplete="off" />
        {alert("register")}
        <button type="submit">Register as Admin</button>
      </form>
      <form method="post" action="?as=login" className="form" noValidate>
        <h2>Or use an account that is there</h2>
        <Field field={known("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={known("password")} label="Password" type="password" autoComplete="current-password" />
        {alert("login")}
        <button type="submit" className="second">
          Make It the Admin
        </button>
      </form>
    </PublicLayout>
  );
}
