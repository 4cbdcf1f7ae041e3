import { expect, test } from "vitest";
import { batch, connect } from "#app/db/client.server.ts";
import { startApp } from "#tests/worker/app.ts";
import { KEY_ID, SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { newSigningKey } from "./signing-key.ts";
import { noteKeyUse, signerOf } from "./signing-keys.server.ts";

/* The list of public keys, and how exports fill it. */

const app = await startApp();
const db = connect(app.db);

interface Key {
  kid: string;
  addedAt: string;
  retiredAt: string | null;
}

async function listed(): Promise<Key[]> {
  const answer = await app.get("/.well-known/jwks.json");
  expect([answer.status, answer.trips]).toEqual([200, 1]);
  return answer.json<{ keys: Key[] }>().keys;
}

async function newKey() {
  const signer = await signerOf({ signingKey: await newSigningKey() });
  if (!signer) throw new Error("a new key cannot be used");
  return signer;
}

const use = (key: { kid: string; x: string }, at: string) => batch(db, noteKeyUse({ db, now: new Date(at) }, key));

test("the list is public, cacheable and empty before the first export", async () => {
  const answer = await app.get("/.well-known/jwks.json");
  expect([answer.status, answer.json()]).toEqual([200, { keys: [] }]);
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=300");
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
});

test("a key is added at its first use with its date, and never with its private part", async () => {
  const key = await signerOf({ signingKey: SIGNING_KEY });
  if (!key) throw new Error("the key of the tests cannot be used");
  await use(key, "2026-01-01T00:00:00Z");
  await use(key, "2026-02-01T00:00:00Z");
  const { x, d } = JSON.parse(SIGNING_KEY);
  expect(await listed()).toEqual([
    {
      kty: "OKP",
      crv: "Ed25519",
      x,
      kid: KEY_ID,
      alg: "EdDSA",
      use: "sig",
      addedAt: "2026-01-01T00:00:00.000Z",
      retiredAt: null,
    },
  ]);
  expect((await app.get("/.well-known/jwks.json")).text).not.toContain(d);
});

test("the use of another key retires the previous one, which stays listed with both dates", async () => {
  const [old] = await listed();
  const next = await newKey();
  await use(next, "2026-03-01T00:00:00Z");
  await use(next, "2026-04-01T00:00:00Z");
  expect(await listed()).toMatchObject([
    { kid: old?.kid, addedAt: "2026-01-01T00:00:00.000Z", retiredAt: "2026-03-01T00:00:00.000Z" },
    { kid: next.kid, addedAt: "2026-03-01T00:00:00.000Z", retiredAt: null },
  ]);
});

test("a row that is not named by the thumbprint of its key is not listed", async () => {
  const before = await listed();
  const { kid, x } = await newKey();
  const stranger = kid.replace(/^./, (first) => (first === "a" ? "b" : "a"));
  await app.db.prepare("INSERT INTO signing_keys VALUES (?, ?, 0, NULL)").bind(stranger, x).run();
  expect(await listed()).toEqual(before);
  await app.db.prepare("DELETE FROM signing_keys WHERE kid = ?").bind(stranger).run();
});

// Two Workers sign with different keys while a new setting is rolled out.
test("after concurrent uses of two keys both are listed, and exactly one is in use", async () => {
  const [one, other] = [await newKey(), await newKey()];
  await Promise.all(
    Array.from({ length: 20 }, (_, number) => use(number % 2 ? one : other, `2026-05-01T00:00:${10 + number}Z`)),
  );
  await use(other, "2026-05-02T00:00:00Z");
  const keys = await listed();
  expect(keys.filter(({ kid }) => [one.kid, other.kid].includes(kid))).toHaveLength(2);
  expect(keys.filter(({ retiredAt }) => retiredAt === null).map(({ kid }) => kid)).toEqual([other.kid]);
});
