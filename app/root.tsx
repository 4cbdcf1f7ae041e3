import { isRouteErrorResponse, Meta, Outlet, useMatches, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { AuthProvider, SignedInLayout, useAuth } from "#app/accounts/layout.tsx";
import type { User } from "#app/accounts/user.ts";
import type { AppError } from "#app/errors.ts";
import { Document, Failure } from "#app/ui/page.tsx";

/** The document around every route. It has no loader: each route's loader returns the user, for `useAuth`. */
export default function Root() {
  const user = useMatches()
    .map(({ data }) => (data as { user?: User | null } | undefined)?.user) // `user` is what every private loader returns
    .find(Boolean);
  return (
    <Document head={<Meta />}>
      <AuthProvider user={user ?? null}>
        <Outlet />
      </AuthProvider>
    </Document>
  );
}

/** The header of signed-in people around an error. */
function WithNavigation({ children }: { children: ReactNode }) {
  return <SignedInLayout current="">{children}</SignedInLayout>;
}

/** The error page of loaders, actions and rendering. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { user } = useAuth(); // from the entry, where this request has looked them up
  const refusal = isRouteErrorResponse(error) ? (error.data as Partial<Pick<AppError, "message" | "link">>) : null; // from `page()`
  const title = isRouteErrorResponse(error) && error.status < 500 ? "That is not possible" : "Something went wrong";
  return (
    <Document head={<title>{`${title} · Hours Tracker`}</title>}>
      <Failure
        {...(user && { Layout: WithNavigation })}
        title={title}
        link={refusal?.link}
        text={refusal?.message ?? "It is our fault, and what you saved is safe. Please try again."}
      />
    </Document>
  );
}
