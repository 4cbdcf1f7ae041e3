import { expect, test } from "vitest";
import { changes, restore, snapshotOf } from "#tests/safe/snapshot.ts";
import type { Row } from "./access/cells.ts";
import { allowedVisitor, callOf, isSafe, isSuccess, Matrix, METHODS, ROWS } from "./access-matrix.ts";
import { startApp } from "./app.ts";
import type { Answer } from "./client.ts";

/*
 * One address has many spellings. Each route of the access matrix is requested in all of them, by a visitor who is
 * allowed and by one who is not. Another spelling must do what the plain one does, with the same response, headers and
 * changed rows, or be 404 and change nothing.
 * Seen to fail: the kind of record read from the raw path (`POST /rope%2Dhours/record/1/delete` deleted OJT entry 1),
 * and a form's key put into its action without encoding (`/profile/entries/..%2Frecord%2F1%2Fdelete` made Save delete
 * entry 1).
 */

const app = await startApp();
const matrix = new Matrix(app);
const world = await matrix.world();
const before = await snapshotOf(app.db);

/** Returns other spellings of a path. */
const SPELLINGS: Record<string, (path: string) => string> = {
  "its hyphens encoded": (path) => path.replaceAll("-", encoded),
  "everything encoded": (path) => path.replaceAll(/[^/]/g, encoded),
  "everything encoded twice": (path) => path.replaceAll(/[^/]/g, (letter) => `%25${encoded(letter).slice(1)}`),
  "its words in upper case": (path) => path.replaceAll(/(?<=\/)[a-z-]+(?=\/|$)/g, (word) => word.toUpperCase()),
  "a slash at the end": (path) => `${path}/`,
  "two slashes at the start": (path) => `/${path}`,
  "two slashes for the last one": (path) => path.replace(/\/(?=[^/]*$)/, "//"),
  "its last slash encoded": (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, "%2F"),
  "its last slash as a backslash": (path) => path.replace(/\/(?=[^/]*$)/, "\\"),
  "a parameter at the end": (path) => `${path};kind=entry`,
  "dot segments": (path) => `/profile/..${path}/.`,
  "encoded dot segments": (path) => `/rope-hours/%2e%2E${path}`,
  "a zero byte at the end": (path) => `${path}%00`,
};

/** `npm test` tries one spelling on each row, in turn; `npm run safe` tries all of them on every row. */
const SHARE = process.env.SAFE ? Object.keys(SPELLINGS).length : 1;

/** Returns the names of the spellings that are tried on the row with this index. */
function spellingsOf(index: number): string[] {
  const names = Object.keys(SPELLINGS);
  return Array.from({ length: SHARE }, (_, turn) => names[(index * SHARE + turn) % names.length] ?? "");
}

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Returns the row with its addresses in another spelling. */
function spelled(row: Row, spell: (path: string) => string): Row {
  const { address } = row;
  return {
    ...row,
    address: (...of) => {
      const [path = "", query] = (typeof address === "string" ? address : address(...of)).split("?");
      // Resolved as a browser does it: `/.//x` arrives as `//x`, which is not another host.
      return query === undefined ? `/.${spell(path)}` : `/.${spell(path)}?${query}`;
    },
  };
}

/** A response without its random and time-dependent values. */
function plain({ status, location, headers, text }: Answer): Record<string, unknown> {
  const named = HEADERS.map((name) => [name, headers.get(name)]);
  const cookies = headers.getSetCookie().map((line) => line.split("=")[0]);
  const known = (value: string) => value.replaceAll(CHANCE, "‹new›");
  // The page to open after signing in is named as it was requested.
  const to = location && known(location).replace(/^\/auth\?next=.*/, "/auth");
  return { status, location: to, ...Object.fromEntries(named), cookies, text: known(text) };
}

const HEADERS = ["Cache-Control", "Content-Type", "X-Robots-Tag", "Clear-Site-Data", "ETag", "Content-Security-Policy"];
/** Keys, instants, references, API tokens, reset links, ids and codes of exports, their statements, the paths of their QR codes, and signatures of checkpoints. */
const CHANCE = new RegExp(
  [
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{16}\b/,
    /\bht_[\w-]+|([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]|"path":"[^"]*"|\beyJ[\w.-]+|\/reset-password\/[\w-]{43}/,
    /(?<=^— \S+ )\S+/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** Returns the rows that a request has changed, and restores them. */
async function changedRows(): Promise<string[]> {
  await app.idle();
  const changed = changes(before, await snapshotOf(app.db));
  if (changed.length > 0) await restore(app.db, before);
  return changed;
}

/** Returns how the response to one spelling differs from the plain one. */
function differences(answer: Answer, expected: Record<string, unknown>): string[] {
  const found = plain(answer);
  return Object.keys(expected)
    .filter((name) => JSON.stringify(found[name]) !== JSON.stringify(expected[name]))
    .map((name) => `${name}: ${shortened(found[name])} and not ${shortened(expected[name])}`);
}

/**
 * Returns whether the address is unknown, or belongs to another route, which does not take this method, type or token, or asks to sign in.
 */
function isElsewhere({ status, location }: Answer, { link, address }: Row): boolean {
  // The last two are beside `/account/email/{token}` and `/api/user/email/{token}`.
  const resends = ["/account/email/resend", "/api/user/email/resend"];
  const saysMistyped =
    link === "reset" || link === "change" || link === "export" || resends.some((path) => path === address);
  const asksToSignIn = status === 303 && location?.startsWith("/auth?next=");
  return [404, 405, 415].includes(status) || asksToSignIn || (saysMistyped && status === 400);
}

function shortened(value: unknown): string {
  return typeof value === "string" ? value.slice(-60) : String(value);
}

test.each(ROWS.map((row, index) => ({ ...row, index })))(
  "$name: another spelling does the same or nothing",
  async ({ row, index }) => {
    const wrong: string[] = [];
    for (const method of METHODS) {
      const call = callOf(row, method);
      if (!call || method === "HEAD") continue; // Remix answers it as GET
      const refused = (["nobody", "other"] as const).find((visitor) => !isSuccess(call.cells[visitor]));
      const reached = new Set(spellingsOf(index));
      for (const visitor of [allowedVisitor(call) ?? "owner", ...(refused ? [refused] : [])]) {
        const { answer } = await matrix.request(row, method, visitor);
        const [expected, rows] = [plain(answer), await changedRows()];
        for (const name of reached) {
          const visit = await matrix.request(spelled(row, SPELLINGS[name] ?? String), method, visitor);
          const isOther = isElsewhere(visit.answer, row);
          if (isOther) reached.delete(name); // for any visitor
          const found = isOther ? [] : differences(visit.answer, expected);
          if (!isSafe(method)) {
            const changed = await changedRows();
            if (changed.length > 0 && changed.join() !== rows.join()) found.push(`changes ${changed.join()}`);
          }
          wrong.push(...found.map((what) => `${method} as ${visitor} with ${name}: ${what}`));
        }
        if (isSafe(method)) expect([method, visitor, await changedRows()]).toEqual([method, visitor, rows]);
      }
    }
    expect(wrong).toEqual([]);
  },
);

// A key is part of its form's action, where `../` would lead to another form, with our own button on it.
test("no form of a page posts to another address", async () => {
  const { owner, entryId, supervisorId } = world;
  for (const [path, up] of [
    ["/profile/entries", "..%2F.."],
    ["/rope-hours/new", "..%2F.."],
    [`/profile/request/${entryId}`, "..%2F..%2F.."],
  ]) {
    for (const key of [
      `${up}%2Fprofile%2Frecord%2F${entryId}%2Fdelete`,
      "a%3Fb",
      "a%23b",
      "a%2Fb",
      "a%5Cb",
      "a%2E%2E",
    ]) {
      const page = await owner.get(`${path}/${key}`);
      const form = { entries: "x", location: "x", supervisor: `${supervisorId}` };
      const actions = [...page.text.matchAll(/ action="([^"]*)"/g)].map(([, action = ""]) => action);
      expect([key, page.status, actions.filter((action) => /delete|[?#\\]|\.\./.test(action))]).toEqual([key, 404, []]);
      expect([key, (await owner.post(`${path}/${key}`, form)).status]).toEqual([key, 404]);
    }
  }
  expect(await changedRows()).toEqual([]);
});
