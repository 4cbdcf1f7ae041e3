import type { JsonWebKey } from "node:crypto";
import { expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { exportHours, type ShownCheck, verifyByMailbox } from "#tests/worker/exports.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import type { Technician } from "#tests/worker/people.ts";
import { KEY_ID } from "#tests/worker/signing-key.ts";
import { hashOfRows, verifiedClaims } from "#tests/worker/statement-claims.ts";
import { newSigningKey } from "./signing-key.ts";
import { noteKeyUse, signerOf } from "./signing-keys.server.ts";

/*
 * The statement of a real export, verified by Node's own implementation, the public list of keys and the rules of
 * docs/proof.md, with nothing of the app.
 */

const app = await startMailApp();

async function technician(): Promise<Technician> {
  const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
  await kari.addVerifiedEntry({ date: "2026-11-19", hours: 7.25, location: 'Mongstad "øst"', method: "MT" });
  const { id } = await kari.addEntry({ date: "2026-11-20", hours: 3, method: "PT" });
  await verifyByMailbox(app, kari, id);
  return kari;
}

/** The claims of a statement by the public list of keys; null if it does not verify. */
async function verified(statement: string | null) {
  const { keys } = (await app.get("/.well-known/jwks.json")).json<{ keys: JsonWebKey[] }>();
  return verifiedClaims(statement ?? "", keys);
}

test("the statement of an export verifies with the public keys and says what the export says", async () => {
  const kari = await technician();
  const { code, url, madeAt, statement } = await exportHours(kari);
  const check = (await app.get(`/api/check/${code}`)).json<ShownCheck>();
  expect(check.statement).toBe(statement);
  expect(check.records.map(({ domain }) => domain)).toEqual([null, expect.stringContaining(".")]);
  expect(await verified(statement)).toEqual({
    code: code.replaceAll("-", ""),
    url,
    form: "ojt",
    iat: Math.floor(Date.parse(madeAt) / 1000),
    ...{
      name: "Kari Nordmann",
      no: "NDT-7",
      sum: { MT: 7.25, PT: 3, total: 10.25 },
      n: 2,
      rows: hashOfRows(check, "ojt"),
    },
  });
});

test("an export of rope hours has a statement of its own kind", async () => {
  const kari = await app.register({ name: null, employeeNumber: null });
  const { id } = await kari.addRopeHours({ hours: 38.5 });
  await verifyByMailbox(app, kari, id, { call: "verify-request-rope" });
  const { statement } = await exportHours(kari, "rope-access-log");
  const claims = await verified(statement);
  expect(claims).toMatchObject({
    form: "rope-access-log",
    name: kari.user.email,
    no: null,
    sum: { total: 38.5 },
    n: 1,
  });
});

test("after a rotation an older statement still verifies, with its key retired", async () => {
  const kari = await technician();
  const { statement } = await exportHours(kari);
  const next = await signerOf({ signingKey: await newSigningKey() });
  const db = connect(app.db);
  if (next) await batch(db, noteKeyUse({ db, now: new Date() }, next));
  const { keys } = (await app.get("/.well-known/jwks.json")).json<{ keys: { kid: string; retiredAt: string }[] }>();
  expect(keys.find(({ kid }) => kid === KEY_ID)?.retiredAt).toMatch(/^\d{4}-/);
  expect(await verified(statement)).not.toBeNull();
  // A statement under an unknown key does not.
  const [header = "", ...rest] = String(statement).split(".");
  const foreign = Buffer.from(Buffer.from(header, "base64url").toString().replace(KEY_ID, "x".repeat(43)));
  expect(await verified([foreign.toString("base64url"), ...rest].join("."))).toBeNull();
});

test("20 concurrent exports of 20 technicians, while the key is rotated, all verify", async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const kari = await app.register();
      await kari.addVerifiedEntry();
      return kari;
    }),
  );
  const next = await signerOf({ signingKey: await newSigningKey() });
  const db = connect(app.db);
  const rotate = () => next && batch(db, noteKeyUse({ db, now: new Date() }, next));
  const rotations = Array.from({ length: 5 }, rotate);
  const made = await Promise.all(people.map((kari) => exportHours(kari)));
  await Promise.all(rotations);
  for (const { code, statement } of made)
    expect(await verified(statement)).toMatchObject({ code: code.replaceAll("-", "") });
  const { keys } = (await app.get("/.well-known/jwks.json")).json<{ keys: { retiredAt: string | null }[] }>();
  expect(keys.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
});

test.each([
  ["without a key", ""],
  ["with a malformed key", '{"kty":"OKP"}'],
])("%s an export is made without a statement", async (_case, SIGNING_KEY) => {
  const unsigned = await startApp({ env: { SIGNING_KEY } });
  const kari = await unsigned.register();
  await kari.addVerifiedEntry();
  const { code, statement } = await exportHours(kari);
  expect(statement).toBeNull();
  expect((await unsigned.get(`/api/check/${code}`)).json<ShownCheck>().statement).toBeNull();
  expect((await unsigned.get("/.well-known/jwks.json")).json()).toEqual({ keys: [] });
  if (SIGNING_KEY) await unsigned.logged(({ level, event }) => level === "error" && event === "signing key");
});
