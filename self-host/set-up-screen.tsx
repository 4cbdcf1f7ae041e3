import type { FieldError } from "#app/errors.ts";
import { Field } from "#app/forms/field.tsx";
import { PublicLayout } from "#app/ui/page.tsx";

/** The two ways to make the first admin: register a new account, or log in to an existing one. */
export type SetUpWay = "register" | "login";

interface SetUpScreenProps {
  /** The values and errors of the last attempt. */
  failed?: { way: SetUpWay; values: Record<string, string>; errors: FieldError[]; message: string | null };
}

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
  const register = fieldsOf("register");
  const login = fieldsOf("login");
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>There is no admin yet. Create the first one here. The link then stops working.</p>
      <form method="post" action="?as=register" className="form" noValidate>
        <h2>Create an account</h2>
        <Field field={register("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={register("password")} label="Password" type="password" autoComplete="new-password" />
        <Field field={register("name")} label="Full Name (Optional)" autoComplete="name" />
        <Field field={register("employeeNumber")} label="Employee Number (Optional)" autoComplete="off" />
        {alert("register")}
        <button type="submit">Register as Admin</button>
      </form>
      <form method="post" action="?as=login" className="form" noValidate>
        <h2>Or use an existing account</h2>
        <Field field={login("email")} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={login("password")} label="Password" type="password" autoComplete="current-password" />
        {alert("login")}
        <button type="submit" className="second">
          Log In as Admin
        </button>
      </form>
    </PublicLayout>
  );
}
