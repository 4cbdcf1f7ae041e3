import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { reportFigureAtEnd } from "#tests/safe/figures.ts";
import { type Outcome, VISITORS, type Visitor } from "./access/cells.ts";
import { ACCESS } from "./access.ts";
import { callOf, faultsOf, isSafe, isSuccess, Matrix, METHODS, personOf, ROWS } from "./access-matrix.ts";
import { startApp } from "./app.ts";
import type { Answer } from "./client.ts";

/*
 * The access matrix: {nobody, owner, other, admin, right token, wrong token} × every route × every method. The tests
 * send each cell to the built Worker and check: the answer is the row's, its headers are complete, it shows only words
 * that this visitor may read and no secret, and it changes only rows that the visitor may change. At the end no line of
 * the log may hold a typed word, a token or a secret.
 * Seen to fail, each with one line of the product changed: a route without a row here; the owner left out of the WHERE
 * of a query of an entry (other and admin were answered 200, with the owner's words); the password's hash among the columns of
 * a user; a loader without an authentication check; a link's page that a cache may store.
 */

const app = await startApp();
const matrix = new Matrix(app);
let loggedLines = 0;
let sent = 0;

/**
 * The visitors who try a method that the path does not have, which is refused before the user is looked up, and HEAD,
 * which is answered like GET. `npm run safe` tries them as all visitors, `npm test` as one, another one for the next
 * row.
 */
function passersBy(index: number): readonly Visitor[] {
  return VISITORS.filter((_, visitor) => process.env.SAFE || visitor === index % VISITORS.length);
}

test("every route has its rows, and every row its route", () => {
  const all = routes as { path?: string; index?: boolean }[];
  expect(Object.keys(ACCESS).sort()).toEqual(all.map(({ path, index }) => (index ? "/" : path)).sort());
});

test.each(ROWS.map((row, index) => ({ ...row, index })))("$name", async ({ row, allowed, index }) => {
  const wrong: string[] = [];
  const world = await matrix.world();
  let before = await matrix.stored();
  for (const method of METHODS) {
    const call = callOf(row, method);
    if (!call && allowed.includes(method)) continue; // another row of the same path has it
    const visitors = call && method !== "HEAD" ? VISITORS : passersBy(index);
    const outcomeFor = (visitor: Visitor) => call?.cells[visitor] ?? (row.isUnknown ? 404 : 405);
    const mayWrite = (visitor: Visitor) => isSuccess(outcomeFor(visitor)) && !isSafe(method);
    for (const visitor of visitors) {
      const found: string[] = [];
      const expected = outcomeFor(visitor);
      const isLetIn = isSuccess(expected);
      const visit = await matrix.request(row, method, visitor);
      const { answer } = visit;
      sent += 1;
      if (!isAs(answer, expected)) {
        found.push(`answers ${answer.status} ${answer.location ?? ""} and not ${JSON.stringify(expected)}`);
      }
      if (answer.status === 405 && answer.headers.get("Allow") !== allowed.join(", ")) {
        found.push(`allows ${answer.headers.get("Allow")}`);
      }
      if (method === "HEAD" && answer.text !== "") found.push("has a body");
      // The page of a used link is a refusal that shows the record.
      const shows = isLetIn || expected === 409 ? call?.shows : [];
      found.push(...faultsOf(visit, row, method, visitor, world, shows));

      // After refused requests the database is compared once, before a visitor who may change it, or at the end.
      const next = visitors[visitors.indexOf(visitor) + 1];
      if (!next || mayWrite(visitor) || mayWrite(next)) {
        const after = await matrix.stored();
        const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
          (id) => before.get(id) !== after.get(id),
        );
        const people = mayWrite(visitor) ? [personOf(visitor), ...(call?.changes ?? [])] : [];
        const mayChange = people.flatMap((who) => (who ? [world[who].user.id] : []));
        // A new user has registered.
        const isAllowed = (id: number) => mayChange.includes(id) || (people.length > 0 && !before.has(id));
        for (const id of changed.filter((id) => !isAllowed(id))) found.push(`changes the rows of user ${id}`);
        if (changed.length > 0) {
          await matrix.renew();
          before = await matrix.stored();
        }
      }
      wrong.push(...found.map((what) => `${method} as ${visitor} ${what}`));
    }
  }
  expect(wrong).toEqual([]);
});

test("no line of the log holds a typed word, a token or a secret, and each is JSON", async () => {
  const { found, lines } = await matrix.sweepLog();
  expect(found).toEqual([]);
  expect(lines).toBeGreaterThan(Math.max(ROWS.length * METHODS.length, sent) / 2);
  loggedLines = lines;
});

function isAs({ status, location }: Answer, expected: Outcome): boolean {
  if (typeof expected === "number") return status === expected;
  return (
    status === 303 && !!location?.startsWith(expected.to) && /^([/?#].*)?$/.test(location.slice(expected.to.length))
  );
}

reportFigureAtEnd("Secrets in answers and log", () => `none in any cell's answer, none in ${loggedLines} lines`);
reportFigureAtEnd(
  "Access matrix",
  () => `${ROWS.length} rows × ${METHODS.length} methods × ${VISITORS.length} visitors`,
);
