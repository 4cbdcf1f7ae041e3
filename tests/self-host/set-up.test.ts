import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { longTest } from "#tests/safe/figures.ts";
import { cookieOf, dataFolder, logged, register, SETTINGS, setUpLink, start, visit } from "./start.ts";

const FORM = { email: "boss@example.com", password: "correct horse", name: "The Boss" };

function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return visit(url, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
}

test("while there is no admin the log has a link, by which a new account becomes the first admin", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  const page = await visit(link);
  expect(page.status).toBe(200);
  expect([page.headers.get("Cache-Control"), page.headers.get("X-Robots-Tag")]).toEqual(["no-store", "noindex"]);
  const html = await page.text();
  expect(html).toContain("Set up Hours Tracker");
  expect(html).not.toContain("<script");

  const answer = await post(`${link}?as=register`, FORM);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin"]);
  const user = await visit(`${running.url}/api/user`, { headers: { Cookie: cookieOf(answer) } });
  expect(await user.json()).toMatchObject({ email: "boss@example.com", name: "The Boss", isAdmin: true });
});

// Detects a link that stays valid: anyone who reads the log later could become an admin.
test("the link works once; a start with an admin logs none, but what is not configured", async () => {
  const data = dataFolder();
  const running = await start(data);
  const link = await setUpLink(running);
  expect((await post(`${link}?as=register`, FORM)).status).toBe(303);
  expect((await visit(link)).status).toBe(404);
  expect((await post(`${link}?as=register`, { ...FORM, email: "eve@example.com" })).status).toBe(404);
  await running.stop();

  const again = await start(data);
  expect((await visit(`${again.url}/auth`)).status).toBe(200);
  expect(JSON.parse(await logged(again.log, /"not configured"/))).toMatchObject({
    missing: ["Public address", "Email"],
    advice: expect.stringMatching(/An admin sees how to configure it at http:\/\/[^/]+\/set-up$/),
  });
  expect(await again.stop()).toBe(0);
  expect(again.log.join("\n")).not.toContain("/set-up/");
});

test("only one of many concurrent uses of the link makes an admin", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      post(`${link}?as=register`, { ...FORM, email: `boss${number}@example.com` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const admins = await Promise.all(
    answers.map(async (answer) => {
      const user = await visit(`${running.url}/api/user`, { headers: { Cookie: cookieOf(answer) } });
      const { isAdmin = false }: { isAdmin?: boolean } = await user.json();
      return isAdmin;
    }),
  );
  expect(admins.filter(Boolean)).toHaveLength(1);
});

test("an existing account becomes the admin with its password", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  await register(running, "ada@example.com");
  const wrong = await post(`${link}?as=login`, { email: "ada@example.com", password: "a guess" });
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining("Invalid email or password")]);
  const right = await post(`${link}?as=login`, { email: "Ada@Example.com", password: "correct horse" });
  expect([right.status, right.headers.get("Location")]).toEqual([303, "/admin"]);
  // Like every log-in it ends the mark of an earlier logout, or the next page would delete what is typed from now on.
  const ended = right.headers.getSetCookie().filter((cookie) => cookie.includes("signed-out-"));
  expect(ended).toEqual([expect.stringMatching(/^signed-out-\d+=; Max-Age=0;/)]);
});

test("ten wrong passwords at the link lock the account", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  const guess = () => post(`${link}?as=login`, { email: "ada@example.com", password: "a guess" });
  for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
});

// Detects a set-up link that the failed logins of colleagues block.
longTest("wrong passwords at the link do not count for the network", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  const guess = async (address: string, name: string) =>
    (await post(address, { email: `${name}@example.com`, password: "a guess" })).status;
  // A network may guess 50 times.
  for (let n = 0; n < 51; n += 1) expect(await guess(`${link}?as=login`, `colleague-${n}`)).toBe(401);
  expect(await guess(`${running.url}/auth`, "bea")).toBe(401);
});

test("errors are shown at their fields, by the rules of any registration, and no password is sent back", async () => {
  const running = await start(dataFolder());
  const link = await setUpLink(running);
  const answer = await post(`${link}?as=register`, { email: "boss@", password: "short77", name: "B" });
  const html = await answer.text();
  expect(answer.status).toBe(400);
  for (const words of [
    "Please enter a valid email address",
    "Password must be at least 8 characters",
    "Name must be at least 2 characters",
  ]) {
    expect(html).toContain(words);
  }
  expect(html).toContain('value="boss@"');
  expect(html).not.toContain("short77");
});

test("a made-up link, one of an earlier start, and a cross-site form change nothing", async () => {
  const data = dataFolder();
  const first = await start(data);
  const old = new URL(await setUpLink(first)).pathname;
  await first.stop();
  const running = await start(data);
  // If the clock logs it before any request, it has the default port.
  const link = running.url + new URL(await setUpLink(running)).pathname;
  expect((await post(`${running.url}${old}?as=register`, FORM)).status).toBe(404);
  expect((await post(`${running.url}/set-up/${"x".repeat(43)}?as=register`, FORM)).status).toBe(404);
  expect((await post(`${link}?as=register`, FORM, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await visit(link, { method: "DELETE" })).status).toBe(405);
  expect((await visit(link)).status).toBe(200);
});

// Detects a link made from the `Host` header: the first client could choose where the admin sends the token.
test("the link has the host of PUBLIC_ORIGIN, never that of a Host header", async () => {
  const secret = { SESSION_SECRET: "a secret for tests, of 32 bytes and more" };
  const named = await start(dataFolder(), { ...secret, PUBLIC_ORIGIN: "https://hours.example.com/" });
  expect(await setUpLink(named)).toMatch(/^https:\/\/hours\.example\.com\/set-up\/[\w-]{43}$/);
  const unnamed = await start(dataFolder());
  const { request } = await import("node:http");
  await new Promise<void>((resolve) =>
    request({ port: unnamed.port, host: "127.0.0.1", path: "/", headers: { Host: "evil.example" } }, (answer) =>
      answer.resume().on("end", resolve),
    ).end(),
  );
  expect(await setUpLink(unnamed)).toMatch(/^http:\/\/the-address-of-this-server\/set-up\//);
});

const PRIVATE = ["Not configured", "MAILCHANNELS_API_KEY", "PUBLIC_ORIGIN"];

/** The state of each thing on the page, by its name. */
function statesOn(html: string): Record<string, string | undefined> {
  const rows = html.split("<h3>").slice(1);
  return Object.fromEntries(
    rows.map((row) => [row.slice(0, row.indexOf("<")), /class="\w+ state">([^<]+)/.exec(row)?.[1]]),
  );
}

test("the page of the link says of each thing whether it is configured, and how to do it", async () => {
  const secret = { SESSION_SECRET: "a secret for tests, of 32 bytes and more" };
  const key = "a key that nobody may see";
  const bare = await start(dataFolder(), secret);
  const page = await (await visit(await setUpLink(bare))).text();
  expect(statesOn(page)).toEqual({
    "Public address": "Not configured",
    Email: "Not configured",
    "Signing key": "Configured",
    Backups: "Configured",
    "First admin": "Not configured",
  });
  for (const words of PRIVATE) expect(page).toContain(words);

  const mail = { MAILCHANNELS_API_KEY: key, MAIL_FROM: "hours@example.com" };
  const env = { ...secret, ...mail, PUBLIC_ORIGIN: "https://hours.example.com", SIGNING_KEY: "no key" };
  const running = await start(dataFolder(), env);
  const link = running.url + new URL(await setUpLink(running)).pathname;
  const other = await (await visit(link)).text();
  expect(statesOn(other)).toEqual({
    "Public address": "Configured",
    Email: "Configured",
    "Signing key": "Not usable",
    Backups: "Configured",
    "First admin": "Not configured",
  });
  for (const value of [key, "no key"]) expect(other).not.toContain(value);
});

// Seen to fail: nothing said that all people share the proxy's address, and one person's wrong passwords stopped all.
test("a proxy without TRUST_PROXY is named once in the log, on the page of the link, and in System", async () => {
  const env = { ...SETTINGS, PUBLIC_ORIGIN: "https://hours.example.com" };
  const running = await start(dataFolder(), env);
  const link = running.url + new URL(await setUpLink(running)).pathname;
  expect(statesOn(await (await visit(link)).text())["Public address"]).toBe("Configured");
  const proxied = { headers: { "X-Forwarded-For": "203.0.113.7" } };
  for (const _ of ["once", "again"]) await visit(`${running.url}/auth`, proxied);
  const html = await (await visit(link)).text();
  expect(statesOn(html)["Public address"]).toBe("Not usable");
  expect(html.replaceAll("<wbr/>", "")).toContain("TRUST_PROXY=1");
  const headers = { Cookie: cookieOf(await post(`${link}?as=register`, FORM)) };
  const system = await (await visit(`${running.url}/api/admin/system`, { headers })).json();
  expect(system).toMatchObject({ missing: expect.arrayContaining(["Public address"]) });
  await logged(running.log, /"proxy not trusted"/);
  await running.stop();
  expect(running.log.filter((line) => line.includes('"proxy not trusted"'))).toHaveLength(1);

  for (const quiet of [
    { ...env, TRUST_PROXY: "1" },
    { ...env, PUBLIC_ORIGIN: "http://192.168.1.5:8787" },
  ]) {
    const other = await start(dataFolder(), quiet);
    expect((await visit(`${other.url}/auth`, proxied)).status).toBe(200);
    await other.stop();
    expect(other.log.join("\n")).not.toContain("proxy not trusted");
  }
});

// Seen to fail: the link came with the timer's next run, up to a minute later.
test("the link of RESET_ADMIN is in the log within 5 seconds of the first request", async () => {
  const data = dataFolder();
  const running = await start(data);
  expect((await post(`${await setUpLink(running)}?as=register`, FORM)).status).toBe(303);
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // the first alarm sets the next one, a minute later
  await running.stop();
  const again = await start(data, { ...SETTINGS, RESET_ADMIN: FORM.email });
  const begun = performance.now();
  await visit(`${again.url}/healthz`);
  await logged(again.log, /"admin reset"/);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("a key that the mail service refuses is named, with the number of emails that wait", async () => {
  const server = createServer((_incoming, outgoing) => outgoing.writeHead(403).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // it listens on a port
  const running = await start(dataFolder(), {
    ...SETTINGS,
    MAILCHANNELS_API_KEY: "a wrong key",
    MAILCHANNELS_BASE_URL: `http://127.0.0.1:${port}`,
    MAIL_FROM: "hours@example.com",
    PUBLIC_ORIGIN: "http://localhost:8787",
  });
  const link = running.url + new URL(await setUpLink(running)).pathname;
  expect(statesOn(await (await visit(link)).text()).Email).toBe("Configured");
  await register(running, "ada@example.com"); // her address is to be confirmed
  await vi.waitFor(
    async () => {
      const html = await (await visit(link)).text();
      expect(statesOn(html).Email).toBe("Not usable");
      expect(html).toContain("MailChannels has refused the key since");
      expect(html).toContain("1 email waits");
    },
    { timeout: 60_000, interval: 200 },
  );
});

// Detects a page for "this machine": behind a proxy on it, every client is on this machine.
test("only the holder of the link and admins see what is not configured", async () => {
  const running = await start(dataFolder(), { ...SETTINGS, TRUST_PROXY: "1" });
  const link = await setUpLink(running);
  const token = new URL(link).pathname.split("/")[2] ?? "";
  const claims = {
    Host: "localhost",
    "X-Forwarded-For": "127.0.0.1",
    Forwarded: "for=127.0.0.1",
    "X-Forwarded-Host": "localhost",
  };
  const technician = cookieOf(await post(`${running.url}/auth?tab=register`, { ...FORM, email: "ada@example.com" }));
  const paths = [
    "/",
    "/auth",
    "/set-up",
    "/set-up/",
    `/set-up/${token}x`,
    `/set-up/${token.slice(1)}`,
    `/set-up?token=${token}`,
  ];
  for (const headers of [claims, { Cookie: technician }, { Cookie: "session=made-up" }]) {
    for (const path of paths) {
      const answer = await visit(running.url + path, { headers });
      const html = await answer.text();
      expect([path, PRIVATE.filter((words) => html.includes(words))]).toEqual([path, []]);
      if (path.startsWith("/set-up")) expect([path, answer.status]).toEqual([path, 404]);
    }
  }
  const bodies = await Promise.all(
    ["/set-up", "/made-up"].map(async (path) =>
      (await visit(running.url + path, { headers: { Cookie: technician } })).text(),
    ),
  );
  expect(bodies[0]).toBe(bodies[1]);

  const admin = cookieOf(await post(`${link}?as=register`, FORM));
  const page = await visit(`${running.url}/set-up`, { headers: { Cookie: admin } });
  const html = await page.text();
  expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(statesOn(html)).toMatchObject({ Email: "Not configured", "First admin": "Configured" });
  expect(html).not.toContain("<form");
  // The Worker shows the same, with the limit of a database that no setting names.
  const system = await (await visit(`${running.url}/api/admin/system`, { headers: { Cookie: admin } })).json();
  expect(system).toMatchObject({
    database: { bytes: expect.any(Number), limit: 10_000_000_000 },
    backups: expect.any(Array),
    missing: ["Public address", "Email"],
  });
  const posted = await visit(`${running.url}/set-up`, { method: "POST", headers: { Cookie: admin } });
  expect(posted.status).toBe(404);
});
