import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { AuthProvider, useAuth } from "./layout.tsx";

const user = {
  id: 1,
  email: "k@example.com",
  name: "K",
  employeeNumber: null,
  isAdmin: false,
  emailConfirmedAt: null,
  createdAt: new Date(0),
};

function Who() {
  return <>{useAuth().user?.email ?? "nobody"}</>;
}

test("useAuth returns the signed-in user, or null", () => {
  expect(renderToString(<AuthProvider user={user}>{<Who />}</AuthProvider>)).toBe("k@example.com");
  expect(renderToString(<AuthProvider user={null}>{<Who />}</AuthProvider>)).toBe("nobody");
});

// Catches a context whose default is `{ user: null }`, which would look like a signed-out user.
test("useAuth throws outside an AuthProvider", () => {
  expect(() => renderToString(<Who />)).toThrow("useAuth must be used within an AuthProvider");
});
