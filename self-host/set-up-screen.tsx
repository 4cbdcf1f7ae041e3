import type { FieldError } from "#app/errors.ts";
import { Field } from "#app/forms/field.tsx";
import { PublicLayout } from "#app/ui/page.tsx";
import type { SetUpItem } from "./set-up-items.ts";
import { SetUpList } from "./set-up-list.tsx";

/** The two ways to make the first admin: register a new account, or log in to an existing one. */
export type SetUpWay = "register" | "login";

interface SetUpScreenProps {
  items: SetUpItem[];
  /** The values and errors of the last attempt. */
  failed?: { way: SetUpWay; values: Record<string, string>; errors: FieldError[]; message: string | null };
}

/** The page of the set-up link: what is not configured, and the forms for the first admin. */
export function SetUpScreen({ items, failed }: SetUpScreenProps) {
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
  const list = <SetUpList items={items} />;
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>
        Only the output of this program has the link to this page. The link stops working when there is an admin; an
        admin then sees the configuration at <code>/set-up</code>.
      </p>
      {!failed && list}
      <form method="post" action="?as=register" className="form" noValidate>
        <h2>Create the first admin</h2>
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
      {failed && list}
    </PublicLayout>
  );
}

/** The same list for a signed-in admin, at /set-up. */
export function ConfigurationScreen({ items }: { items: SetUpItem[] }) {
  return (
    <PublicLayout>
      <h1>Set up Hours Tracker</h1>
      <p>
        Only admins see this page. <a href="/admin">Go to the admin page</a>
      </p>
      <SetUpList items={items} />
    </PublicLayout>
  );
}
