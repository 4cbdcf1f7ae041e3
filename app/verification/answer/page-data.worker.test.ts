import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expect, test } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { loader as success } from "#app/routes/success.tsx";
import { loader as verify } from "#app/routes/verify.tsx";
import { startDatabase } from "#tests/worker/database.ts";
import { storeRequest } from "#tests/worker/requests.ts";
import { bytes, entryRow, insert, tokenNumber, userRow, VERIFIED } from "#tests/worker/rows.ts";

/*
 * The data that the loaders of a link's pages return. It is not sent to the browser today; if a page sent it, all of it
 * would arrive there. Catches the whole link in the data: the owner's id, the token and the hashes of the last event.
 */

const db = await startDatabase();
const OWNER = 987_654;
const HASH = "c".repeat(64);
const PREVIOUS = "0".repeat(64);
await insert(db, "users", userRow({ id: OWNER, email: "kari.hidden@example.com" }));
for (const [id, over] of [
  [1, {}],
  [2, VERIFIED],
] as const) {
  await insert(db, "records", entryRow({ id, user_id: OWNER, ...over }));
  await storeRequest(db, { userId: OWNER, records: [{ type: "entry", id }], token: tokenNumber(id) });
  const line = {
    record_id: id,
    number: 1,
    event: "requested",
    at: 1,
    record_hash: bytes(HASH),
    supervisor_hash: bytes(HASH),
  };
  await insert(db, "verification_log", { ...line, previous: bytes(PREVIOUS), hash: bytes(HASH) });
}

/** The data of a loader for a visitor without a session. */
async function dataOf(loader: (args: LoaderFunctionArgs) => Promise<{ data: object }>, path: string, token: string) {
  const context = {
    db: connect(db),
    now: new Date(),
    client: { address: null, place: null, browser: null },
    sessionToken: null,
    apiToken: null,
    secret: "a secret for tests",
    url: new URL(path, "http://localhost"),
    timeZone: "UTC",
    mail: { isConfigured: true },
    visit: { method: "GET" },
    afterwards: [],
  } as unknown as AppLoadContext; // only what these loaders use
  const request = new Request(`http://localhost${path}`);
  const { data } = await loader({ request, params: { token }, context });
  return data;
}

const [open, verified] = [tokenNumber(1), tokenNumber(2)];
for (const [name, loader, path, token] of [
  ["an open link", verify, `/verify/${open}`, open],
  ["a used link", verify, `/verify/${verified}`, verified],
  ["a verification", success, `/success?token=${verified}`, verified],
] as const) {
  test(`the page of ${name} gets what it shows, and no other data of the owner or the log`, async () => {
    const data = await dataOf(loader as Parameters<typeof dataOf>[0], path, token);
    const text = JSON.stringify(data);
    expect(text).toContain("Kari Nordmann");
    for (const secret of [String(OWNER), "ingrid@", HASH, PREVIOUS]) expect(text).not.toContain(secret);
    // The technician's address is on the page that asks, and nowhere else.
    expect(text.includes("kari.hidden")).toBe(path === `/verify/${open}`);
    // The page's own token, and the address of its form; not the record's.
    expect(text.split(token)).toHaveLength(loader === success ? 2 : 3);
    if (loader === success) return;
    expect(Object.keys(data)).toEqual([
      ...["token", "action", "link", "acts", "asker", "shown", "signed", "answered", "timeZone"],
    ]);
    expect(Object.keys((data as { link: object }).link)).toEqual([
      ...["state", "isOwn", "isSeveral", "ended", "user", "supervisor", "expiresAt", "items"],
    ]);
  });
}
