import { expect, inject, test } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import { all, statuses, times } from "#tests/worker/attempts.ts";
import { freshAddress } from "#tests/worker/client.ts";
import { textOf } from "#tests/worker/html.ts";
import { anEntry } from "#tests/worker/people.ts";
import { withToken } from "#tests/worker/tokens.ts";

/** Sets the clock to the start of the next minute: each counts from 0, and one that begins during a test would do so, too. */
const startMinute = (app: App) => app.setClock(new Date(60_000 * Math.ceil(Date.now() / 60_000)));

for (const [name, settings, isOfCloudflare] of [
  ["Cloudflare's binding", { rateLimit: 5 }, true],
  ["the app's own count", { env: { REQUESTS_PER_MINUTE: "5" } }, false],
] as const) {
  // Self-hosting has no such binding.
  const runs = test.skipIf(isOfCloudflare && inject("target") === "binary");

  runs(
    `${name} refuses requests over the rate limit before any D1 call, on public routes that write and on no others`,
    async () => {
      const limited = await startApp(settings);
      const owner = await limited.register();
      const from = limited.as(new Map());
      await startMinute(limited);
      const paths = ["/api/auth/login", "/api/auth/register", "/api/auth/reset-password"];
      const answers = await times(6, () => from.json("POST", paths[0] as string, {}));
      expect(statuses(answers)).toEqual([...all(5, 400), 429]);
      // Another spelling of the address is the same route.
      for (const path of [...paths, "/api/%61uth/login", "/API/auth/LOGIN", "/auth"]) {
        const answer = await (path === "/auth" ? from.post(path, {}) : from.json("POST", path, {}));
        expect([path, answer.status, answer.trips, answer.headers.get("Retry-After")]).toEqual([path, 429, 0, "60"]);
      }
      const page = await from.post("/reset-password", {});
      expect(textOf(page.text)).toContain(
        "There are too many requests from your network. Please try again in a minute.",
      );
      expect((await from.get("/auth")).status).toBe(200);
      expect(statuses(await times(6, () => owner.get("/api/entries")))).toEqual(all(6, 200));
    },
  );

  runs(`${name} counts each link separately: a supervisor opens theirs whatever else their network sends`, async () => {
    const limited = await startApp(settings);
    const owner = await limited.register();
    const token = await owner.requestVerification((await owner.addEntry()).id);
    const from = limited.as(new Map());
    await startMinute(limited);
    await times(10, () => from.json("POST", "/api/auth/login", {}));
    await times(10, () => from.get("/verify/made-up"));
    expect([(await from.get("/verify/made-up")).status, (await from.get("/verify/made-up")).trips]).toEqual([429, 0]);
    expect((await from.get(`/verify/${token}`)).status).toBe(200);
    const confirmed = await from.json("POST", `/api/verify/${token}`, { supervisorName: "Ingrid Solheim" });
    expect(confirmed.status).toBe(200);
  });

  // Catches a key that is the raw path: each spelling then has the limit again, and a place in memory.
  runs(`${name} counts a link or code once in any spelling, on its page and its calls`, async () => {
    const limited = await startApp(settings);
    const [code, token] = ["0123-4567-89AB-CDEF-G", "7b0e2c4a-9d1f-4e55-8a6b-3c2d1e0f9a8b"];
    for (const spellings of [
      [
        ...[`/c/${code}`, `/c/${code}?x=1`, `/C/${code.toLowerCase()}`, `/c/${code.replaceAll("-", "")}`],
        ...[`/c/oL23-4567-89AB-CDEF-G`, `/api/check/${code}?`, `/API/check/%30123456789ABCDEFG`, `/check?code=${code}`],
        ...[`/c/${code}/`, `/c/${encodeURIComponent("０")}123456789ABCDEFG`, `/check?code=${code}&token=${token}`],
        // A dotless i is an I in upper case, and so a 1.
        ...[`/c/${encodeURIComponent("0ı23456789ABCDEFG")}`, `/check?token=x&code=${code}`],
      ],
      [
        ...[`/verify/${token}`, `/verify/${token}?m=1`, `/verify/${token.toUpperCase()}`, `/Verify/${token}?m=2&m=3`],
        ...[`/api/verify/${token}`, `/success?token=${token}`, `/success?a=b&token=${token}`, `/verify/${token}#x`],
        ...[`/verify/%37${token.slice(1)}`, `/disown/${token}`],
      ],
    ]) {
      const from = limited.as(new Map());
      await startMinute(limited);
      const answers = [];
      for (const path of spellings) answers.push((await from.get(path)).status);
      expect(answers.map((status) => status === 429)).toEqual(spellings.map((_, index) => index >= 5));
      from.address = freshAddress();
      expect((await from.get(spellings[0] ?? "")).status).not.toBe(429);
    }
  });
}

// Catches a turn that is not ended where a response is streamed, refused, redirected or has no body: the next request waits in vain.
test("a heavy request's turn ends with its response, whatever that is", async () => {
  const app = await startApp();
  const owner = await app.register();
  const entry = await owner.addEntry();
  const verified = await owner.requestVerification(entry.id);
  await app.as(new Map()).json("POST", `/api/verify/${verified}`, { supervisorName: "Ingrid Solheim" });
  const answers = [];
  for (const [method, path] of [
    ["GET", "/profile/print"],
    ["HEAD", "/profile/print"],
    ["GET", "/profile/print/999"],
    ["GET", "/rope-hours/print"],
    ["GET", "/api/export.csv?kind=entries"],
    ["HEAD", "/api/export.csv?kind=entries"],
    ["GET", "/api/export.csv?kind=nothing"],
    ["GET", "/api/export.json"],
    ["POST", "/api/exports"],
    ["GET", "/api/exports"],
  ] as const) {
    const { status } = await owner.send(method, path);
    answers.push([method, path, status]);
  }
  expect(answers).toEqual([
    ["GET", "/profile/print", 200],
    ["HEAD", "/profile/print", 200],
    ["GET", "/profile/print/999", 404],
    ["GET", "/rope-hours/print", 303],
    ["GET", "/api/export.csv?kind=entries", 200],
    ["HEAD", "/api/export.csv?kind=entries", 200],
    ["GET", "/api/export.csv?kind=nothing", 400],
    ["GET", "/api/export.json", 200],
    ["POST", "/api/exports", 400],
    ["GET", "/api/exports", 200],
  ]);
});

test("one token makes as many calls a minute as the limit: more are 429 without a D1 call, other tokens and the session go on", async () => {
  const limited = await startApp({ env: { REQUESTS_PER_MINUTE: "5" } });
  const kari = await limited.register();
  const [one, other] = (await Promise.all(
    ["One", "Other"].map(async (name) => {
      const made = await kari.json("POST", "/api/tokens", { name, access: "write" });
      return withToken(limited, made.json<{ token: string }>().token);
    }),
  )) as [ReturnType<typeof withToken>, ReturnType<typeof withToken>];
  await startMinute(limited);
  expect(statuses(await times(5, () => one("GET", "/api/entries")))).toEqual(all(5, 200));
  // A client that ignores Retry-After goes on being refused, and costs no D1 call.
  for (const answer of await times(20, () => one("POST", "/api/entries", [anEntry()]))) {
    expect([answer.status, answer.trips, answer.headers.get("Retry-After")]).toEqual([429, 0, "60"]);
    expect(answer.json()).toMatchObject({ code: "rate_limited", message: expect.stringContaining("This token") });
  }
  expect((await other("GET", "/api/entries")).status).toBe(200);
  expect((await kari.get("/api/entries")).json()).toEqual([]);
  await limited.setClock(new Date(Date.now() + 120_000));
  expect((await one("GET", "/api/entries")).status).toBe(200);
});
