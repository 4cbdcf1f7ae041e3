import { expect, test } from "vitest";
import { listRoutes } from "#tests/safe/routes.ts";
import type { Outcome } from "./access/cells.ts";
import { callOf, faultsOf, isSafe, Matrix, METHODS, type Method, ROWS, type VisitorAnswer } from "./access-matrix.ts";
import type { MarkedWorld } from "./access-world.ts";
import { startApp } from "./app.ts";
import { Answer } from "./client.ts";
import { rows as rowsOf } from "./database.ts";

/*
 * The access matrix for API tokens: {read token, write token, ended token, service token} × every /api route × every method. Each request
 * also has the cookies of another technician, which must be ignored; calls that sign in or out ignore the token, and end the
 * session of the cookie. The expected answers follow from the cells of the token's owner and from the route's `token`. A service
 * token of an admin reads the calls with `service`, and is refused at all others.
 * No answer to a read token, refusals and headers included, holds a secret: any that the database stores or the world
 * derives, but that of the call's own address. A new call is covered by its row, a new column by its name.
 * Seen to fail, each with one line of the product changed: the session cookie read beside a token; the owner of a token
 * without the condition on its access; `token: "none"` left out of a route; a link's token in the list of requests.
 */

const app = await startApp();
const matrix = new Matrix(app);
const VISITORS = ["read token", "write token", "ended token", "service token"] as const;

/** The public calls that look up the user: no technicians verify their own hours. All others ignore a token. */
const ASKS_WHO = [
  "api/verify/:token",
  "api/verify/:token/decline",
  "api/verify/:token/unknown",
  "api/disown/:token",
  "api/confirm/:token",
];

const routes = new Map((await listRoutes()).map((route) => [route.path, route]));
const rows = ROWS.filter(({ name }) => name.startsWith("api/"));

type MatrixRow = (typeof ROWS)[number];

const pathOf = ({ name }: MatrixRow) => name.replace(/ \(\d+\)$/, "");

function expectedOf(of: MatrixRow, method: Method, visitor: (typeof VISITORS)[number]): Outcome {
  const { row } = of;
  const cells = callOf(row, method)?.cells;
  if (!cells) return row.isUnknown ? 404 : 405;
  const path = pathOf(of);
  const { access, token: use, service } = routes.get(path)?.handle ?? {};
  if (access === "public" && !ASKS_WHO.includes(path)) return row.link ? cells["right token"] : cells.nobody;
  if (visitor === "ended token") return 401;
  if (visitor === "service token") return service && isSafe(method) ? cells.admin : 403;
  const mayDo = isSafe(method) ? use !== "none" : use === undefined && visitor === "write token";
  return mayDo ? cells.owner : 403;
}

test.each(rows.map((row, index) => ({ ...row, index })))("$name", async (of) => {
  const wrong: string[] = [];
  const world = await matrix.world();
  let before = await matrix.stored();
  for (const method of METHODS) {
    if (!callOf(of.row, method) && of.allowed.includes(method)) continue; // another row of the same path has it
    // A method that the path does not have is refused whatever the token is: `npm test` tries one.
    const isTried = (_: string, token: number) =>
      process.env.SAFE || callOf(of.row, method) || token === of.index % VISITORS.length;
    const visitors = VISITORS.filter(isTried);
    const isRefusedOrSafe = (visitor: (typeof VISITORS)[number]) => {
      const outcome = expectedOf(of, method, visitor);
      return isSafe(method) || (typeof outcome === "number" && outcome >= 400);
    };
    for (const visitor of visitors) {
      const token = {
        "read token": world.readToken,
        "write token": world.writeToken,
        "ended token": "ht_ended",
        "service token": world.serviceToken,
      }[visitor];
      const expected = expectedOf(of, method, visitor);
      const visit = await matrix.request(of.row, method, "other", { Authorization: `Bearer ${token}` });
      const found = visit.answer.status === expected ? [] : [`answers ${visit.answer.status} and not ${expected}`];
      // It may show the data that the owner may see, and not those of the user whose cookies were sent.
      const isWho = visitor === "ended token" ? "nobody" : visitor === "service token" ? "admin" : "owner";
      found.push(...faultsOf(visit, of.row, method, isWho, world, callOf(of.row, method)?.shows));
      if (visitor === "read token" || visitor === "service token") found.push(...(await secretsTold(visit, world)));
      wrong.push(...found.map((what) => `${method} as ${visitor} ${what}`));
      // After what changes nothing the database is compared once, before a visitor who may change something, or at the end.
      const next = visitors[visitors.indexOf(visitor) + 1];
      if (next && isRefusedOrSafe(visitor) && isRefusedOrSafe(next)) continue;
      const after = await matrix.stored();
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (id) => before.get(id) !== after.get(id),
      );
      const isByCookie = routes.get(pathOf(of))?.handle.token === "ignored";
      const whose = [...(callOf(of.row, method)?.changes ?? []), ...(isByCookie ? ["other" as const] : [])];
      const people = ["owner" as const, ...whose].map((who) => world[who].user.id);
      const mayChange = isRefusedOrSafe(visitor) ? [] : people;
      // A new user has registered.
      const isAllowed = (id: number) => mayChange.includes(id) || (mayChange.length > 0 && !before.has(id));
      wrong.push(...changed.filter((id) => !isAllowed(id)).map((id) => `${method} as ${visitor} changes user ${id}`));
      if (changed.length > 0) {
        await matrix.renew();
        before = await matrix.stored();
      }
    }
  }
  expect(wrong).toEqual([]);
});

/** Columns with a name like this store a secret, or what a secret is made of or found by. */
const SECRET_COLUMN = /token|nonce|secret|password|hash|code|salt|seal|submission|reference|^key$/;

/** These tables store hashes that are published: of the audit log, of its checkpoints, of public keys. */
const PUBLISHED = ["verification_log", "checkpoints", "log_tree", "signing_keys"];

const columns = await rowsOf<{ owner: string; name: string }>(
  app.db,
  `SELECT owner.name AS owner, info.name FROM sqlite_master AS owner, pragma_table_info(owner.name) AS info
    WHERE owner.type = 'table' AND owner.name NOT GLOB '*_cf_*' AND owner.name NOT GLOB 'sqlite_*'`,
);

/** The stored secrets, each with the column that has it. */
async function storedSecrets(): Promise<[column: string, secret: string][]> {
  const secret = columns.filter(
    ({ owner, name }) =>
      !PUBLISHED.includes(owner) && (SECRET_COLUMN.test(name) || (owner === "sessions" && name === "id")),
  );
  const found = await app.db.batch<{ value: unknown }>(
    secret.map(({ owner, name }) => app.db.prepare(`SELECT DISTINCT ${name} AS value FROM ${owner}`)),
  );
  return secret.flatMap(({ owner, name }, index) =>
    (found[index]?.results ?? []).flatMap(({ value }): [string, string][] =>
      typeof value === "string" && value.length >= SHORTEST ? [[`${owner}.${name}`, value]] : [],
    ),
  );
}

/** The length of the shortest secret: shorter texts are in an answer by chance. */
const SHORTEST = 12;

/** The secrets that an answer holds, in any spelling, also inside a signed statement; not that of the call's address. */
async function secretsTold({ answer, path }: VisitorAnswer, { tokens, secrets }: MarkedWorld): Promise<string[]> {
  const said = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  const decoded = (said.match(/[\w-]{20,}/g) ?? []).map((text) => Buffer.from(text, "base64url").toString());
  const all = plain([said, ...decoded].join("\n"));
  const world = [...Object.entries(tokens), ...secrets.map((one): [string, string] => ["a secret", one])];
  const told = [...(await storedSecrets()), ...world].filter(
    ([, secret]) => all.includes(plain(secret)) && !plain(path).includes(plain(secret)),
  );
  return told.map(([name, secret]) => `tells ${name}: ${secret}`);
}

const plain = (text: string) => text.toLowerCase().replaceAll("-", "");

test("the search finds the secrets that it is there for", async () => {
  const { token, exportCode, readTokenId } = await matrix.renew();
  const stored = await storedSecrets();
  const columns = new Set(stored.map(([column]) => column));
  expect(stored).toContainEqual(["verification_requests.token", token]);
  for (const column of ["users.password", "sessions.id", "api_tokens.hash", "exports.nonce", "account_links.token"]) {
    expect(columns).toContain(column);
  }
  const inStatement = `e30.${Buffer.from(JSON.stringify({ code: exportCode })).toString("base64url")}.x`;
  const answer = new Answer(
    200,
    new Headers({ Link: `</verify/${token.toUpperCase()}>` }),
    new TextEncoder().encode(inStatement),
  );
  const told = await secretsTold({ answer, path: `/api/tokens/${readTokenId}`, body: "" }, await matrix.world());
  expect(told).toEqual(
    expect.arrayContaining([`tells verification_requests.token: ${token}`, `tells export: ${exportCode}`]),
  );
});
