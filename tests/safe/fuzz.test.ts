import fc from "fast-check";
import { expect, test } from "vitest";
import { type App, startApp } from "#tests/worker/app.ts";
import type { Answer } from "#tests/worker/client.ts";
import type { World } from "#tests/worker/world.ts";
import { ACTIONS, worldForAll } from "./actions.ts";
import { tell } from "./figures.ts";
import { type Mutation, mutation, RAW_MARK } from "./fuzz-requests.ts";
import { READS } from "./reads.ts";
import { mayPass } from "./validity.ts";

/*
 * Valid requests with one or two wrong places, to every page, form and API call (faults.test.ts makes sure that no
 * route is left out). Every answer must be free of server errors and internals, in the format of its route, and no
 * success if the rules forbid the request (validity.ts). The last tests check the fuzzer itself.
 */

const wanted = Number(process.env.SAFE_REQUESTS) || 600;
const seed = Number(process.env.SAFE_SEED) || 2026_11_21;

/** How many requests run at once, and after how many the world is created again, because requests use it up. */
const AT_ONCE = 16;
const PER_WORLD = 64;

interface Target {
  method: string;
  isApi: boolean;
  path: (world: World) => string;
  body: (world: World) => unknown;
  client: (typeof ACTIONS)[number]["client"];
}

/** Requests that change data come three times as often as reads. */
const TARGETS: Target[] = [
  ...[1, 2, 3].flatMap(() => ACTIONS),
  ...READS.map(({ isApi, path, who }) => ({
    ...{ method: "GET", isApi, path, body: () => undefined },
    client: (app: App, world: World) => (who === "nobody" ? app.as(new Map()) : world[who].as(world[who].cookies)),
  })),
];

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** What the body says, as far as the test can know. */
  means: unknown;
}

/** The request as it is sent. */
function requestFrom(target: Target, world: World, { method, segment, query, ...rest }: Mutation): Sent {
  const [pathname = "", search = ""] = target.path(world).split("?");
  const parts = pathname.split("/");
  if (segment !== null) parts[rest.target % 3 ? parts.length - 1 : parts.length] = segment;
  const asked = query ? query : search && `?${search}`;
  const body = bodyFrom(target, target.body(world), rest);
  const sentMethod = method ?? target.method;
  const hasBody = sentMethod !== "GET" && sentMethod !== "HEAD" && body.text !== undefined;
  return {
    method: sentMethod,
    path: parts.join("/") + asked,
    headers: { ...(hasBody && body.type && { "Content-Type": body.type }), ...rest.headers },
    body: hasBody ? body.text : undefined,
    means: hasBody ? body.means : undefined,
  };
}

type BodyMutation = Pick<Mutation, "fields" | "whole" | "encoding">;

/** A value whose meaning the test cannot know: the app may accept or reject it, without a server error. */
const ANYTHING = Symbol("anything");

function bodyFrom(target: Target, valid: unknown, { fields, whole, encoding }: BodyMutation) {
  if (valid === undefined) return { text: undefined, type: undefined, means: undefined };
  return target.isApi ? jsonFrom(valid, fields, whole, encoding) : formFrom(valid, fields, whole, encoding);
}

function jsonFrom(
  valid: unknown,
  fields: Mutation["fields"],
  whole: Mutation["whole"],
  encoding: Mutation["encoding"],
) {
  const body = structuredClone(valid);
  const object = (Array.isArray(body) ? body[0] : body) as Record<string, unknown>; // all our bodies are one of the two
  let twice = "";
  for (const { field, what, value } of fields) {
    const names = Object.keys(Array.isArray(valid) ? valid[0] : (valid as object));
    const name = names[field % (names.length || 1)] ?? "x";
    if (what === "drop") delete object[name];
    else if (what === "twice") twice += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    else
      object[what === "add" ? (["isAdmin", "verified", "userId", "id", "__proto__"][field % 5] ?? "x") : name] = value;
  }
  let text = JSON.stringify(body);
  if (twice && text.endsWith("}")) text = `${text.slice(0, -1)}${text === "{}" ? twice.slice(1) : twice}}`;
  text = text.replaceAll(new RegExp(`"${RAW_MARK}((?:[^"\\\\]|\\\\.)*)"`, "g"), (_all, raw: string) =>
    JSON.parse(`"${raw}"`),
  );
  if (whole === "empty") text = "";
  if (whole === "null") text = "null";
  if (whole === "cut") text = text.slice(0, text.length / 2);
  if (whole === "nested") text = "[".repeat(2_000) + text + "]".repeat(2_000);
  if (whole === "in a list") text = `[${text}]`;
  if (whole === "many") text = `[${Array.from({ length: 501 }, () => text).join()}]`;
  const type =
    encoding === "proper" ? "application/json" : encoding === "multipart" ? "multipart/form-data" : "text/json";
  if (whole === "bytes") return { text: new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28]), type, means: undefined };
  return { text, type, means: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formFrom(
  valid: unknown,
  fields: Mutation["fields"],
  whole: Mutation["whole"],
  encoding: Mutation["encoding"],
) {
  let pairs = Object.entries(valid as Record<string, string>); // a form is a flat list of texts
  let isKnown = true;
  for (const { field, what, value } of fields) {
    const text =
      typeof value === "string" ? value.replace(RAW_MARK, "").replace(/\p{Cs}/gu, "") : JSON.stringify(value);
    const name = pairs[field % (pairs.length || 1)]?.[0] ?? "x";
    if (what === "drop") pairs = pairs.filter(([one]) => one !== name);
    if (what === "set") pairs = pairs.map(([one, old]) => [one, one === name ? text : old]);
    if (what === "twice") isKnown = false; // no rule says which of the two counts
    if (what === "twice") pairs.push([name, text]);
    if (what === "add")
      pairs.push([["__intent__", "entries[7].date", "isAdmin", "__proto__", "name.x"][field % 5] ?? "x", text]);
    if (what === "add" && field % 5 < 2) isKnown = false; // a button that adds a row, or an added row
  }
  if (whole === "empty") pairs = [];
  const means = isKnown && whole !== "many" && whole !== "in a list" ? objectFrom(pairs) : ANYTHING;
  if (whole === "many") pairs = Array.from({ length: 300 }, () => pairs).flat();
  if (whole === "in a list") pairs = pairs.map(([name, text]) => [`${name}[]`, text]);
  const encoded = new URLSearchParams(pairs).toString();
  if (whole === "cut") return { text: `${encoded}&%&=&%zz=%`, type: URLENCODED, means: ANYTHING };
  if (whole === "bytes") return { text: new Uint8Array([0xff, 0x00, 0x26, 0x3d]), type: URLENCODED, means: {} };
  if (encoding === "other type") return { text: encoded, type: "text/plain", means: undefined };
  if (encoding === "proper") return { text: encoded, type: URLENCODED, means };
  const parts = pairs.map(
    ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${text}\r\n`,
  );
  const end = whole === "nested" ? "" : "--b--\r\n";
  return {
    text: parts.join("") + end,
    type: `multipart/form-data; boundary=${whole === "null" ? "" : "b"}`,
    means: ANYTHING,
  };
}

const URLENCODED = "application/x-www-form-urlencoded";

/** Returns a form's fields as the app reads them: `entries[0].date` in a list of rows. */
function objectFrom(pairs: [string, string][]): Record<string, unknown> {
  const object: Record<string, unknown> = Object.fromEntries(pairs);
  const rows = pairs.flatMap(([name, text]) => {
    const inner = /^entries\[0\]\.(\w+)$/.exec(name)?.[1];
    return inner ? [[inner, text]] : [];
  });
  return rows.length > 0 ? { ...object, entries: [Object.fromEntries(rows)] } : object;
}

/** What no answer may show: positions in the code, and the words of the libraries below. */
const INSIDE = /\n\s+at |node_modules|D1_ERROR|SQLITE_|Failed query|\[object Object\]|ZodError|is not a function/;

/** Returns what is wrong with an answer; null if nothing is. */
function mistakeIn(answer: Answer, { method, path, means }: Sent): string | null {
  const { status, text, headers } = answer;
  if (status >= 500) return `it is ${status}: ${text.slice(0, 300)}`;
  if (INSIDE.test(text)) return `it shows ${INSIDE.exec(text)?.[0]}`;
  const { pathname, search } = new URL(path, "http://localhost"); // as it is sent: `/api/..` is not an API call
  const isApi = /^\/api(\/|$)/i.test(pathname);
  const type = headers.get("Content-Type") ?? "";
  if (isApi && method !== "HEAD") {
    if (!type.startsWith("application/json")) return `a call answers ${type}`;
    if (status >= 400 && !/\S/.test(answer.json<{ message?: string }>().message ?? ""))
      return "a refusal without words";
  }
  if (!isApi && method !== "HEAD" && ![301, 302, 303].includes(status) && !type.startsWith("text/html")) {
    return `a page answers ${status} ${type}`;
  }
  const isDone = (isApi && status < 300) || (status === 303 && !/^\/(auth|verify\/)/.test(answer.location ?? ""));
  const request = `${method} ${pathname}${search === "?tab=register" ? search : ""}`;
  if (isDone && means !== ANYTHING && method !== "GET" && !mayPass(request, means))
    return `it accepted what the rules forbid (${status})`;
  return null;
}

interface Found {
  mistake: string;
  sent: Sent;
}

/** Sends the first requests of a seed. Returns what was wrong, and the time in milliseconds, which no test asserts. */
async function fuzz(app: App, numRequests: number) {
  const mutations = fc.sample(mutation, { seed, numRuns: numRequests });
  const found: Found[] = [];
  const statuses = new Map<number, number>();
  const start = Date.now();
  for (let first = 0; first < numRequests; first += PER_WORLD) {
    const world = await worldForAll(app);
    const queue = mutations.slice(first, first + PER_WORLD);
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const target = TARGETS[next.target % TARGETS.length] as Target; // never empty
        const sent = requestFrom(target, world, next);
        const client = next.cookies === "none" ? app.as(new Map()) : target.client(app, world);
        if (next.cookies === "garbage") client.cookies.set("session", "%%%").set("flash", "e30=.x");
        const { method, path, headers, body } = sent;
        const answer = await client.send(method, path, { headers, ...(body !== undefined && { body }) });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const mistake = mistakeIn(answer, sent);
        if (mistake) found.push({ mistake, sent: { ...sent, body: String(sent.body).slice(0, 400) } });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return { found, statuses, took: Date.now() - start };
}

test(`${wanted} requests with one or two wrong places cause no server error, and none succeeds against the rules`, {
  timeout: 10 * 60_000 + wanted * 600,
}, async () => {
  const app = await startApp({ cheapHashes: true });
  const { found, statuses, took } = await fuzz(app, wanted);
  expect(found.slice(0, 5)).toEqual([]);
  const share = (isMeant: (status: number) => boolean) =>
    [...statuses].reduce((sum, [status, count]) => sum + (isMeant(status) ? count : 0), 0) / wanted;
  // The requests reach the app: some are still valid, and most of the others break a rule.
  expect(share((status) => status < 400)).toBeGreaterThan(0.1);
  expect(share((status) => status === 400)).toBeGreaterThan(0.1);
  tell("Fuzzed requests", `${wanted} in ${(took / 1000).toFixed(0)} s, 0 mistakes`);
});

test("the fuzzer detects an app whose statement fails", async () => {
  const broken = await startApp({ cheapHashes: true, sabotage: [['from "entries"', 'from "no_such_table"']] });
  expect((await fuzz(broken, 200)).found.map(({ mistake }) => mistake)).toContainEqual(
    expect.stringMatching(/^it is 500/),
  );
});

test("the validity rules know what is forbidden", () => {
  const entry = { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.5 };
  expect(mayPass("POST /api/entries", [entry, { ...entry, hours: "7.5" }])).toBe(true);
  const wrong = [
    { date: "2026-02-30" },
    { location: " \u200b" },
    { method: "mt" },
    { hours: 0.09 },
    { hours: Infinity },
  ];
  for (const over of wrong)
    expect([over, mayPass("POST /api/entries", [{ ...entry, ...over }])]).toEqual([over, false]);
  for (const body of [undefined, null, 7, [], [null], Array(501).fill(entry)]) {
    expect(mayPass("POST /api/entries", body)).toBe(false);
  }
  expect(mayPass("POST /api/auth/register", { email: "a@b.c", password: "1234567" })).toBe(false);
  expect(mayPass("POST /verify/x", { supervisorName: "x".repeat(201) })).toBe(false);
});
