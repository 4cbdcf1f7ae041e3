import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import { PASSWORD } from "#tests/worker/people.ts";

const app = await startApp();

/** A signed-out browser. */
function visitor() {
  return app.as(new Map());
}

function labels(html: string): string[] {
  return textsOf(html, "label");
}

test("/ and /auth show the Login tab, and /auth?tab=register the Register tab", async () => {
  for (const path of ["/", "/auth", "/auth?tab=login", "/auth?tab=nonsense"]) {
    const page = await app.get(path);
    expect([path, page.status, labels(page.text)]).toEqual([path, 200, ["Email", "Password"]]);
    expect(formIn(page.text, "/auth").buttons.map(({ label }) => label)).toEqual(["Log in"]);
    expect(page.text).toContain('href="/reset-password"');
    expect(page.text).toContain('href="/auth?tab=register"');
  }
  const register = await app.get("/auth?tab=register");
  expect(labels(register.text)).toEqual(["Email", "Password", "Full Name (Optional)", "Employee Number (Optional)"]);
  expect(formIn(register.text, "/auth?tab=register").buttons.map(({ label }) => label)).toEqual(["Register"]);
});

test("the sign-in page says under its name what it is for, and explains it in a headline and four points", async () => {
  const page = await app.get("/auth");
  // A phone has no room for the points.
  expect(textOf(page.text)).toContain(
    "Hours Tracker Log your NDT and rope hours, have your supervisor verify them, and keep a record that an auditor accepts. Login",
  );
  expect(textOf(page.text)).toContain("Streamline Your OJT Progress Tracking");
  expect(textsOf(page.text, "li")).toHaveLength(4);
});

test("both tabs of the sign-in page link to the inbox of a supervisor and to the check of a form", async () => {
  for (const path of ["/", "/auth?tab=register"]) {
    const page = await app.get(path);
    const hrefs = tagsOf(page.text.slice(page.text.indexOf("</form>")), "a").map(({ href }) => href);
    expect([path, hrefs.slice(-2)]).toEqual([path, ["/inbox", "/check"]]);
  }
});

test("registering with the form signs in and redirects to /profile with a welcome", async () => {
  const kari = visitor();
  const page = await kari.get("/auth?tab=register");
  const answer = await kari.submit(page, "/auth?tab=register", {
    email: " Kari@Example.com ",
    password: PASSWORD,
    name: "Kari Nordmann",
    employeeNumber: "NDT-7",
  });
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  const profile = await kari.follow(answer);
  expect(textOf(profile.text)).toContain("Registration successful Welcome, Kari Nordmann!");
  expect(textsOf(profile.text, "h1")).toEqual(["Kari Nordmann"]);
  expect(await count(app.db, "users", "email = 'kari@example.com' AND employee_number = 'NDT-7'")).toBe(1);
});

test("a user without a name is welcomed by email address and shown as New User", async () => {
  const kari = visitor();
  const page = await kari.get("/auth?tab=register");
  const answer = await kari.submit(page, "/auth?tab=register", { email: "nameless@example.com", password: PASSWORD });
  const profile = await kari.follow(answer);
  expect(textOf(profile.text)).toContain("Welcome, nameless@example.com!");
  expect(textsOf(profile.text, "h1")).toEqual(["New User"]);
  expect(textOf(profile.text)).not.toContain("Employee #");
});

test("logging in with the form redirects to /profile with a welcome back", async () => {
  const { user } = await app.register();
  const browser = visitor();
  const answer = await browser.submit(await browser.get("/auth"), "/auth", { email: user.email, password: PASSWORD });
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  const profile = await browser.follow(answer);
  expect(textOf(profile.text)).toContain(`Login successful Welcome back, ${user.name}!`);
});

test("a failed login shows the error above the button, keeps the email address and clears the password", async () => {
  const { user } = await app.register();
  for (const email of [user.email, "nobody@example.com"]) {
    const browser = visitor();
    const page = await browser.submit(await browser.get("/auth"), "/auth", { email, password: "not the password" });
    expect([page.status, textsOf(page.text, "p", 'role="alert"')]).toEqual([401, ["Invalid email or password"]]);
    expect(page.text.indexOf("Invalid email or password")).toBeLessThan(page.text.indexOf(">Log in<"));
    const form = formIn(page.text, "/auth");
    expect([form.fields.get("email"), form.fields.get("password")]).toEqual([email, ""]);
    expect(page.text).not.toContain("not the password");
    expect(page.setCookie("session")).toBeUndefined();
  }
});

test("an error appears under its field, and all typed values stay except the password", async () => {
  const browser = visitor();
  const page = await browser.submit(await browser.get("/auth?tab=register"), "/auth?tab=register", {
    email: "kari@",
    password: "short",
    name: "K",
    employeeNumber: "<b>7</b>",
  });
  expect(page.status).toBe(400);
  expect(messageOf(page.text, "email")).toBe("Please enter a valid email address");
  expect(messageOf(page.text, "password")).toBe("Password must be at least 8 characters");
  expect(messageOf(page.text, "name")).toBe("Name must be at least 2 characters");
  expect(messageOf(page.text, "employeeNumber")).toBeNull();
  expect(Object.fromEntries(formIn(page.text, "/auth?tab=register").fields)).toEqual({
    email: "kari@",
    password: "",
    name: "K",
    employeeNumber: "<b>7</b>",
  });
  expect(page.text).not.toContain("<b>7</b>");
});

test("an empty login form shows an error for each field", async () => {
  const page = await app.post("/auth", { email: "", password: "" });
  expect(messageOf(page.text, "email")).toBe("Please enter a valid email address");
  expect(messageOf(page.text, "password")).toBe("Password is required");
});

test("registering an address that has an account asks the user to log in, and keeps the typed values", async () => {
  const { user } = await app.register();
  const page = await app.post("/auth?tab=register", { email: user.email, password: PASSWORD, name: "Kari Nordmann" });
  expect([page.status, textsOf(page.text, "p", 'role="alert"')]).toEqual([
    409,
    ["That email address already has an account. Log in instead."],
  ]);
  expect(formIn(page.text, "/auth?tab=register").fields.get("name")).toBe("Kari Nordmann");
});

// Catches a page that redirects a signed-in user before it reads the form: a wrong password led to /profile.
test("a failed login in a browser that is already signed in shows its error and leaves the session alone", async () => {
  const kari = await app.register();
  const old = await visitor().get("/auth"); // another tab, opened before signing in
  const answer = await kari.submit(old, "/auth", { email: kari.user.email, password: "not the password" });
  expect([answer.status, textsOf(answer.text, "p", 'role="alert"')]).toEqual([401, ["Invalid email or password"]]);
  expect((await kari.json("GET", "/api/user")).json()).toMatchObject({ email: kari.user.email });
});

test("a signed-in user is redirected from / and /auth to /profile", async () => {
  const ada = await app.register();
  for (const path of ["/", "/auth", "/auth?tab=register"]) {
    const answer = await ada.get(path);
    expect([path, answer.status, answer.location]).toEqual([path, 303, "/profile"]);
  }
});

test("the forms of / post to /auth; / itself answers a POST with 405 and the allowed methods", async () => {
  const answer = await app.post("/", { email: "nobody@example.com", password: PASSWORD });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("every field has a label and an autocomplete hint", async () => {
  const page = await app.get("/auth?tab=register");
  const inputs = tagsOf(page.text, "input");
  const labelled = tagsOf(page.text, "label").map((label) => label.for);
  expect(inputs.map(({ id }) => id)).toEqual(labelled);
  expect(inputs.map(({ autoComplete, autocomplete }) => autoComplete ?? autocomplete)).toEqual([
    "username",
    "new-password",
    "name",
    "off",
  ]);
});

test("a file in place of a field and a truncated multipart body are answered with an error message", async () => {
  const part = (name: string, rest: string) => `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n`;
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  const send = (body: string) => app.send("POST", "/auth", { headers, body });
  const password = part("password", `\r\n\r\n${PASSWORD}`);
  expect((await send(`${part("email", "\r\n\r\na@example.com")}${password}--x--\r\n`)).status).toBe(401);
  const file = await send(`${part("email", '; filename="x.txt"\r\n\r\na@example.com')}${password}--x--\r\n`);
  expect([file.status, messageOf(file.text, "email")]).toEqual([400, "Please enter a valid email address"]);
  const broken = await send("--x\r\nContent-Disp");
  expect([broken.status, textOf(broken.text)]).toEqual([400, expect.stringContaining("did not arrive completely")]);
});

test("a page that needs a sign-in is opened after it, also after a wrong password, by registering, and in another tab", async () => {
  const { user } = await app.register();
  const kari = visitor();
  const { location } = await kari.get("/requests?sort=x");
  expect(location).toBe("/auth?next=/requests");
  const page = await kari.get(location ?? "");
  const refused = await kari.submit(page, location ?? "", { email: user.email, password: `${PASSWORD}?` });
  expect(refused.status).toBe(401);
  const answer = await kari.submit(refused, location ?? "", { email: user.email, password: PASSWORD });
  expect([answer.status, answer.location]).toEqual([303, "/requests"]);
  expect(textOf((await kari.get("/requests")).text)).toContain("Login successful");
  expect((await kari.get("/auth?next=/supervisors")).location).toBe("/supervisors");

  const ola = visitor();
  const register = /href="(\/auth\?tab=register[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const form = await ola.get(register);
  const registered = await ola.submit(form, register, { email: "ola.new@example.com", password: PASSWORD });
  expect([registered.status, registered.location]).toEqual([303, "/requests"]);

  for (const next of ["//evil.example", "https://evil.example", "/api/export.json"]) {
    const address = `/auth?next=${encodeURIComponent(next)}`;
    expect([next, (await kari.get(address)).location]).toEqual([next, "/profile"]);
  }
});

test("the rule for a new password is below its field before anything is typed", async () => {
  const page = await app.get("/auth?tab=register");
  const field = tagsOf(page.text, "input").find(({ name }) => name === "password");
  const hint = textsOf(page.text, "p", `id="${field?.["aria-describedby"]}"`);
  expect(hint).toEqual(["At least 8 characters."]);
  const refused = await app.post("/auth?tab=register", { email: "short@example.com", password: "seven77" });
  expect(messageOf(refused.text, "password")).toBe("Password must be at least 8 characters");
});

// A cookie ends with its session, so a form comes without one.
test("a form that was sent without a session is followed by a sign-in page that says so, for as long as it is open", async () => {
  const said = async (path: string, cookies = new Map<string, string>()) => {
    const browser = app.as(cookies);
    const answer = await browser.post(path, { name: "Ola" });
    expect([path, answer.status, answer.location]).toEqual([path, 303, "/auth"]);
    return textsOf((await browser.get("/auth")).text, "p", 'role="alert"');
  };
  const [lost, hours] = [
    "You were signed out, so this was not saved. Log in and send it again.",
    "You were signed out, so this was not saved. If this browser has kept your hours, they are sent once you log in. Without JavaScript it has not: log in and send them again.",
  ];
  for (const path of ["/profile/entries", "/profile/entries/key", "/rope-hours/new/key"]) {
    expect([path, await said(path)]).toEqual([path, [hours]]);
  }
  for (const path of ["/supervisors/new", "/account/details", "/profile/record/1/edit", "/profile/request/1"]) {
    expect([path, await said(path)]).toEqual([path, [lost]]);
  }
  expect(await said("/supervisors/new", new Map([["session", "ended"]]))).toEqual([lost]);
  // A visitor who opens a page gets no message that a form was not saved.
  const browser = visitor();
  await browser.get("/supervisors/new");
  expect((await browser.get("/auth")).text).not.toContain("not saved");
});
