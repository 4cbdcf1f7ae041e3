import { expect, test } from "vitest";
import { reportFigureAtEnd } from "#tests/safe/figures.ts";
import { allowedVisitor, callOf, faultsOf, isSafe, Matrix, METHODS, ROWS } from "./access-matrix.ts";
import { startApp } from "./app.ts";

/*
 * Every route of the access matrix, requested from other sites' pages, which is refused before anything is read, and
 * over a failing database, which is reported to the user. Neither changes anything.
 * Seen to fail: a rule that refuses `cross-site` alone and accepts `same-site`; an error logged with its address. Found
 * by their first run: a form's address without a page of its own answered a refusal in JSON and a failure in plain
 * text.
 */

const matrix = new Matrix(await startApp());

const ELSEWHERE: Record<string, string>[] = [
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { "Sec-Fetch-Site": "cross-site", Origin: "http://localhost" },
  { Origin: "https://attacker.example" },
  { Origin: "https://attacker.example", "X-Forwarded-Host": "attacker.example" },
  { Origin: "null" },
];

/** `npm test` comes to each row from two of these places, and to the next row from two others; `npm run safe` from all. */
function placesFor(index: number): typeof ELSEWHERE {
  return ELSEWHERE.filter((_, place) => process.env.SAFE || (place + index) % 3 === 0);
}

test.each(ROWS.map((row, index) => ({ ...row, index })))(
  "from another site: $name",
  async ({ row, allowed, index }) => {
    const wrong: unknown[] = [];
    const world = await matrix.world();
    const before = await matrix.stored();
    for (const method of METHODS.filter((one) => !isSafe(one) && one !== "OPTIONS")) {
      const expected = allowed.includes(method) || row.isUnknown ? 403 : 405;
      const visitor = allowedVisitor(callOf(row, method)) ?? "owner";
      for (const headers of placesFor(index)) {
        const visit = await matrix.request(row, method, visitor, headers);
        const { status, trips, headers: answered } = visit.answer;
        const isRefused = status === expected && trips === 0 && answered.getSetCookie().length === 0;
        const faults = faultsOf(visit, row, method, visitor, world);
        if (!isRefused || faults.length > 0) wrong.push([method, visitor, headers, status, trips, faults]);
      }
    }
    expect(wrong).toEqual([]);
    expect(await matrix.stored()).toEqual(before);
  },
);

test.each(ROWS)("over a failing database: $name", async ({ row, allowed }) => {
  const wrong: unknown[] = [];
  const world = await matrix.world();
  const before = await matrix.stored();
  for (const method of allowed) {
    const visitor = allowedVisitor(callOf(row, method));
    if (!visitor) continue;
    const visit = await matrix.request(row, method, visitor, { "x-fail-d1-round-trip": "1" });
    const { status, trips, text } = visit.answer;
    // Some forms redirect back to their page, with a toast that reports the failure.
    const isSaid = status === 500 && (method !== "GET" || /please try again/i.test(text));
    const isTold = isSaid || (status === 303 && visit.answer.setCookie("flash"));
    const faults = faultsOf(visit, row, method, visitor, world, callOf(row, method)?.shows);
    const isQuiet = !/D1_ERROR|network connection|\bat \w+ \(|index\.js|\bfrom "/i.test(text);
    if ((trips > 0 && !isTold) || !isQuiet || faults.length > 0) wrong.push([method, visitor, status, faults]);
  }
  expect(wrong).toEqual([]);
  expect(await matrix.stored()).toEqual(before);
});

reportFigureAtEnd(
  "Cross-site requests",
  () => `${ROWS.length} rows × every non-GET × ${ELSEWHERE.length} ways to come from elsewhere`,
);

// Catches an error that is logged with its address: that of a link holds the token.
test("no line of the log holds a typed word, a token or a secret, errors included", async () => {
  const { found, lines } = await matrix.sweepLog();
  expect(found).toEqual([]);
  expect(lines).toBeGreaterThan(ROWS.length * ELSEWHERE.length);
});

// All kinds are in one table: detects a query that takes a record for one of another kind.
test("the addresses of a kind find no record of another kind", async () => {
  const { owner, admin, entryId, ropeId, deletedId, deletedRopeId, supervisorId } = await matrix.world();
  const before = await matrix.stored();
  const change = { location: "Elsewhere" };
  for (const [pages, calls, request, adminPage, id, deleted] of [
    ["/profile", "/api/entries", "/api/verify-request", "/admin/entry", ropeId, deletedRopeId],
    ["/rope-hours", "/api/rope-hours", "/api/verify-request-rope", "/admin/rope-hours", entryId, deletedId],
  ] as const) {
    const answers = [
      await owner.get(`${pages}/record/${id}`),
      await owner.get(`${pages}/record/${id}/edit`),
      await owner.post(`${pages}/record/${id}/delete`, {}),
      await owner.post(`${pages}/record/${id}/withdraw`, {}),
      await owner.json("PATCH", `${calls}/${id}`, change),
      await owner.json("DELETE", `${calls}/${id}`),
      await owner.json("POST", `${calls}/${deleted}/restore`),
      await owner.json("GET", `${calls}/${id}/verification`),
      await owner.json("POST", `${request}/${id}`, { supervisorId }),
      await owner.json("DELETE", `${request}/${id}`),
      await admin.get(`${adminPage}/${id}`),
      await admin.json("DELETE", `/api/admin${calls.slice("/api".length)}/${id}`),
      await admin.json("GET", `/api/admin${calls.slice("/api".length)}/${id}/verification`),
    ];
    expect([pages, answers.map(({ status }) => status)]).toEqual([pages, answers.map(() => 404)]);
  }
  expect(await matrix.stored()).toEqual(before);
});
