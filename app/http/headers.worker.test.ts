import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApp } from "../../tests/worker/app.ts";
import type { Answer } from "../../tests/worker/client.ts";
import { tagsOf } from "../../tests/worker/html.ts";

/* Catches a refusal that leaves the Worker past `withStandardHeaders`, and a style sheet that is not the hashed one. */

const app = await startApp({ assets: true });
const secure = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "https://hours.example" });
const ada = await app.register();

const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

function directives(answer: Answer): Record<string, string> {
  const csp = answer.headers.get("Content-Security-Policy") ?? "";
  return Object.fromEntries(csp.split(/;\s*/).map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
}

/** One answer of each kind. */
async function answers(): Promise<Record<string, Answer>> {
  const fail = { "x-fail-d1-round-trip": "1" };
  return {
    "a public page": await app.get("/auth"),
    "a private page": await ada.get("/profile"),
    "a page with messages": await ada.post("/profile/entries", { "entries[0].date": "" }),
    "a redirect": await app.get("/profile"),
    "a redirect after a form": await app.post("/logout", {}),
    "a page not found": await app.get("/nothing"),
    "a bad address": await app.get("/%E0%A4%A"),
    "a page that failed": await ada.get("/profile", fail),
    "a method refused": await ada.send("DELETE", "/profile"),
    "a form from another site": await app.post("/auth", {}, { "Sec-Fetch-Site": "cross-site" }),
    "a form too large": await app.post("/auth", { email: "x".repeat(1024 * 1024) }),
    "a link that leads nowhere": await app.get("/verify/abc"),
    "a call": await ada.get("/api/user"),
    "a call refused": await app.get("/api/user"),
    "a call not found": await app.get("/api/nothing"),
    "a call's method refused": await ada.send("DELETE", "/api/user"),
    "a call from another site": await ada.json("POST", "/api/entries", [], { "Sec-Fetch-Site": "cross-site" }),
    "a call that failed": await ada.get("/api/user", fail),
    HEAD: await app.send("HEAD", "/auth"),
  };
}

test("every answer has the security headers: pages, calls, redirects, refusals, errors", async () => {
  for (const [name, answer] of Object.entries(await answers())) {
    for (const [header, value] of Object.entries(ALWAYS)) {
      expect([name, header, answer.headers.get(header)]).toEqual([name, header, value]);
    }
    const csp = directives(answer);
    expect([name, csp["default-src"], csp["frame-ancestors"]]).toEqual([name, "'none'", "'none'"]);
    expect([name, answer.headers.get("Strict-Transport-Security")]).toEqual([name, null]);
    expect([name, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([name, null]);
  }
});

test("errors are 500 and say nothing of themselves; the log has a line without what was bound", async () => {
  const { "a page that failed": page, "a call that failed": call } = await answers();
  for (const answer of [page, call]) {
    expect(answer?.status).toBe(500);
    expect(answer?.text).not.toMatch(/D1_ERROR|network connection|\bat \w+ \(|index\.js|from "users"/i);
  }
  const lines = await app.logged(({ event }) => event === "error");
  for (const { message } of lines.filter(({ level }) => level === "error")) expect(message).toMatch(/^D1_ERROR/);
});

test("over https every answer asks for https from then on", async () => {
  for (const path of ["/auth", "/nothing", "/profile", "/api/user"]) {
    const answer = await secure.get(path);
    expect([path, answer.headers.get("Strict-Transport-Security")]).toEqual([path, "max-age=63072000"]);
  }
});

// Catches a sheet that is minified after it was hashed, and a `style=` attribute that the policy would ignore.
test("a page's policy allows its own inlined style sheet by its hash, and nothing inline beside it", async () => {
  for (const answer of [
    await app.get("/auth"),
    await ada.get("/profile"),
    await app.get("/nothing"),
    await ada.send("PUT", "/profile"),
  ]) {
    const sheets = [...answer.text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css = ""]) => css);
    expect(sheets).toHaveLength(1);
    const hash = createHash("sha256")
      .update(sheets[0] ?? "")
      .digest("base64");
    const csp = directives(answer);
    expect(csp["style-src"]).toBe(`'sha256-${hash}'`);
    expect(answer.text).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/);
    for (const script of tagsOf(answer.text, "script")) expect(script.src).toMatch(/^\/assets\//);
    expect([csp["form-action"], csp["base-uri"]]).toEqual(["'self'", "'none'"]);
    expect(answer.headers.get("Content-Security-Policy")).not.toMatch(/unsafe|https?:|\*/);
  }
});

test("a page's policy allows script only where the page has any", async () => {
  expect(directives(await ada.get("/profile"))["script-src"]).toBe("'self'");
  for (const path of ["/nothing", "/success", "/verify/abc"]) {
    const page = await app.get(path);
    expect([path, directives(page)["script-src"], tagsOf(page.text, "script")]).toEqual([path, undefined, []]);
  }
});

test("no cache keeps a call or a token's page; a signed-in page is asked for again each time", async () => {
  const kept = async (path: string) => (await ada.get(path)).headers.get("Cache-Control");
  for (const path of ["/api/user", "/api/entries", "/api/nothing", "/api/verify/abc", "/verify/abc", "/success"]) {
    expect([path, await kept(path)]).toEqual([path, "no-store"]);
  }
  for (const path of ["/profile", "/profile/entries", "/nothing"]) {
    expect([path, await kept(path)]).toEqual([path, "private, no-cache"]);
  }
});

test("only an address that holds a token is kept from search engines", async () => {
  const robots = async (path: string) => (await app.get(path)).headers.get("X-Robots-Tag");
  for (const path of ["/verify/abc", "/success", "/api/verify/abc"])
    expect([path, await robots(path)]).toEqual([path, "noindex"]);
  expect(await robots("/auth")).toBeNull();
});

// Catches a sheet that goes whole into every page: it was half of what a supervisor's link weighed.
test("a page for anybody carries no rule that only signed-in people see", async () => {
  const sheet = (page: Answer) => /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? "";
  const signedIn = sheet(await ada.get("/profile"));
  for (const path of ["/auth", "/verify/abc", "/success", "/reset-password", "/reset-password/abc", "/nothing"]) {
    const css = sheet(await app.get(path));
    expect([path, css.includes(".narrow"), css.includes(".log")]).toEqual([path, true, false]);
    expect([path, signedIn.startsWith(css), signedIn.includes(".log")]).toEqual([path, true, true]);
  }
});

test("static files have the security headers too, and hashed ones are kept for ever", async () => {
  const robots = await app.get("/robots.txt");
  expect(robots.status).toBe(200);
  for (const [header, value] of Object.entries(ALWAYS)) {
    expect([header, robots.headers.get(header)]).toEqual([header, value]);
  }
  const script = tagsOf((await ada.get("/profile")).text, "script").at(-1)?.src ?? "";
  const asset = await app.get(script);
  expect([asset.status, asset.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  expect(asset.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(asset.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
});
