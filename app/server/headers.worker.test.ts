import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import type { Answer, Client } from "#tests/worker/client.ts";
import { ALWAYS, directivesOf, wrongHeaders } from "#tests/worker/headers.ts";
import { tagsOf } from "#tests/worker/html.ts";
import { TAB_RULE } from "./tab-rule.ts";

/*
 * Every route with every outcome is held to its headers in tests/worker/access.test.ts; here is what has no route there.
 * Catches a refusal that leaves the Worker past `withStandardHeaders`, and a style sheet that is not the hashed one.
 */

const app = await startApp({ assets: true });
const secure = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "https://hours.example" });
const ada = await app.register();

test("an answer that the front door gives before any route has the same headers", async () => {
  const answers: [string, Answer][] = [
    ["/%E0%A4%A", await app.get("/%E0%A4%A")],
    ["/auth", await app.post("/auth", { email: "x".repeat(1024 * 1024) })],
    ["/verify/abc", await app.json("POST", "/verify/abc", {})],
    ["/api/entries", await ada.json("POST", "/api/entries", "x".repeat(1024 * 1024 + 1))],
    ["/api/user", await ada.post("/api/user", { a: "b" })],
  ];
  for (const [path, answer] of answers) {
    expect([path, answer.status, wrongHeaders(answer, { path, isSecret: path.startsWith("/verify") })]).toEqual([
      path,
      expect.any(Number),
      [],
    ]);
  }
});

test("over https every answer asks for https from then on", async () => {
  for (const path of ["/auth", "/nothing", "/profile", "/api/user"]) {
    const answer = await secure.get(path);
    expect([path, answer.headers.get("Strict-Transport-Security")]).toEqual([path, "max-age=63072000"]);
  }
});

// Catches a sheet that is minified after it was hashed, and a `style=` attribute that the policy would ignore.
test("a page's policy allows its own inlined sheet and starter by their hashes, and nothing inline beside them", async () => {
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
    const starters = [...answer.text.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, js = ""]) => js);
    expect(starters).toHaveLength(tagsOf(answer.text, "script").length);
    const allowed = csp["script-src"]?.match(/'sha256-[^']*'/g) ?? [];
    expect(allowed.filter((hash) => hash !== hashOf(TAB_RULE))).toEqual(starters.map(hashOf));
    expect(answer.text).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/);
    expect([csp["form-action"], csp["base-uri"]]).toEqual(["'self'", "'none'"]);
    expect(answer.headers.get("Content-Security-Policy")).not.toMatch(/unsafe|https?:|\*/);
  }
});

/** How a policy names what is inlined. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

test("a page's policy allows script only where the page has any, and files of it only where it brings some", async () => {
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

// Catches a starter before the page: over a slow link it kept the first paint waiting for its 1.6 kB.
test("a page's script comes behind all that is to be seen", async () => {
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

// Catches a sheet that goes whole into every page: it was half of what a supervisor's link weighed.
test("a page for anybody carries no rule that only signed-in people see", async () => {
  const sheet = (page: Answer) => /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? "";
  const signedIn = sheet(await ada.get("/profile"));
  for (const path of ["/auth", "/verify/abc", "/success", "/reset-password", "/reset-password/abc", "/nothing"]) {
    const css = sheet(await app.get(path));
    expect([path, css.includes(".narrow"), css.includes(".log")]).toEqual([path, true, false]);
    expect([path, css.includes(".auth")]).toEqual([path, path === "/auth"]);
    if (path !== "/auth") expect([path, signedIn.startsWith(css)]).toEqual([path, true]);
  }
  expect([signedIn.includes(".log"), signedIn.includes(".auth")]).toEqual([true, false]);
});

test("static files have the security headers too, and hashed ones are kept for ever", async () => {
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
