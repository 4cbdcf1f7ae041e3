import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer, Client } from "#tests/worker/client.ts";
import { ALWAYS, directivesOf, wrongHeaders } from "#tests/worker/headers.ts";
import { tagsOf } from "#tests/worker/html.ts";
import { TAB_RULE } from "./tab-rule.ts";

/*
 * Headers of responses that come from no route, such as refusals of the request checks; tests/worker/access.test.ts
 * checks every route. Catches a refusal that bypasses `withStandardHeaders`, and a style sheet that differs from the
 * hashed one.
 */

const app = await startApp({ assets: true });
const secure = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "https://hours.example" });
const ada = await app.register();

test("a response given before any route has the same headers", async () => {
  const answers: [string, Answer][] = [
    ["/%E0%A4%A", await app.get("/%E0%A4%A")],
    ["/auth", await app.post("/auth", { email: "x".repeat(1024 * 1024) })],
    ["/api/verify/abc", await app.post("/api/verify/abc", {})],
    ["/api/entries", await ada.json("POST", "/api/entries", "x".repeat(1024 * 1024 + 1))],
    ["/api/user", await ada.post("/api/user", { a: "b" })],
  ];
  for (const [path, answer] of answers) {
    expect([path, answer.status, wrongHeaders(answer, { path, isSecret: path.includes("/verify") })]).toEqual([
      path,
      expect.any(Number),
      [],
    ]);
  }
});

test("over https every response sets Strict-Transport-Security", async () => {
  for (const path of ["/auth", "/nothing", "/profile", "/api/user"]) {
    const answer = await secure.get(path);
    expect([path, answer.headers.get("Strict-Transport-Security")]).toEqual([path, "max-age=63072000"]);
  }
});

// Catches a sheet that is minified after it was hashed, and a `style=` attribute, which the policy would block.
test("a page's policy allows its own inlined sheet and inline script by hash, and no other inline code", async () => {
  for (const answer of [
    await app.get("/auth"),
    await ada.get("/profile"),
    await app.get("/nothing"),
    await ada.send("PUT", "/profile"),
  ]) {
    const sheets = [...answer.text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css = ""]) => css);
    expect(sheets).toHaveLength(1);
    const csp = directivesOf(answer);
    expect(csp["style-src"]).toBe(hashOf(sheets[0] ?? ""));
    const scripts = [...answer.text.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, js = ""]) => js);
    expect(scripts).toHaveLength(tagsOf(answer.text, "script").length);
    const allowed = csp["script-src"]?.match(/'sha256-[^']*'/g) ?? [];
    expect(allowed.filter((hash) => hash !== hashOf(TAB_RULE))).toEqual(scripts.map(hashOf));
    expect(answer.text).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/);
    expect([csp["form-action"], csp["base-uri"]]).toEqual(["'self'", "'none'"]);
    expect(answer.headers.get("Content-Security-Policy")).not.toMatch(/unsafe|https?:|\*/);
  }
});

/** Returns the policy's hash source of an inlined text. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

test("a page's policy allows scripts only if the page has any, and script files only if it loads some", async () => {
  const policy = async (client: Client, path: string) => {
    const { "script-src": script, "connect-src": connect } = directivesOf(await client.get(path));
    return [script?.replace(hashOf(TAB_RULE), "the rule").replace(/'sha256-[^']*'/, "a hash"), connect];
  };
  expect(await policy(ada, "/profile")).toEqual(["a hash the rule 'self'", "'self'"]);
  for (const path of ["/auth", "/reset-password"]) expect(await policy(app, path)).toEqual(["a hash", "'self'"]);
  for (const path of ["/nothing", "/success", "/verify/abc"]) {
    const page = await app.get(path);
    expect([path, directivesOf(page)["script-src"], tagsOf(page.text, "script")]).toEqual([path, undefined, []]);
  }
});

// Catches an inline script before the page: over a slow link its 1.6 kB delayed the first paint.
test("a page's script comes after all visible content", async () => {
  for (const [client, path] of [
    [ada, "/profile"],
    [app, "/auth"],
  ] as const) {
    const { text } = await client.get(path);
    const start = text.indexOf("<script");
    expect([path, start > text.indexOf("</main>"), tagsOf(text.slice(start), "script").length]).toEqual([
      path,
      true,
      1,
    ]);
  }
});

// Catches the whole sheet in every page: it was half the weight of a supervisor's page.
test("a public page carries no styles that only signed-in pages use", async () => {
  const sheet = (page: Answer) => /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? "";
  const signedIn = sheet(await ada.get("/profile"));
  const account = sheet(await ada.get("/account"));
  for (const path of ["/auth", "/verify/abc", "/success", "/reset-password", "/reset-password/abc", "/nothing"]) {
    const css = sheet(await app.get(path));
    expect([path, css.includes(".narrow"), css.includes(".log")]).toEqual([path, true, false]);
    expect([path, css.includes(".auth")]).toEqual([path, path === "/auth"]);
    if (path !== "/auth") expect([path, account.startsWith(css)]).toEqual([path, true]);
  }
  expect([signedIn.includes(".log"), signedIn.includes(".auth")]).toEqual([true, false]);
});

test("static files have the security headers too, and hashed ones are cached for ever", async () => {
  const robots = await app.get("/robots.txt");
  expect(robots.status).toBe(200);
  for (const [header, value] of Object.entries(ALWAYS)) {
    expect([header, robots.headers.get(header)]).toEqual([header, value]);
  }
  const [script = ""] = /\/assets\/entry\.client-[\w-]+\.js/.exec((await ada.get("/profile")).text) ?? [];
  const asset = await app.get(script);
  expect([asset.status, asset.headers.get("Cache-Control")]).toEqual([200, "max-age=31536000, immutable"]);
  expect(asset.headers.get("X-Content-Type-Options")).toBe("nosniff");
});
