import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signerOf } from "#app/proof/signer.server.ts";
import { newSigningKey } from "#app/proof/signing-key.ts";
import { type Claims, signStatement } from "#app/proof/statement.server.ts";

/*
 * Runs the program of docs/proof.md as an auditor would: saved from the document, with Node, a statement and the address of
 * a list of keys.
 */

const CLAIMS: Claims = {
  ...{ code: "ABCD-EFGH-JKMN-PQRS-T", url: "https://hours.example.com/c/ABCD-EFGH-JKMN-PQRS-T", kind: "entries" },
  ...{
    madeAt: new Date("2026-11-22T16:03:33Z"),
    name: "Kari Nordmann",
    number: null,
    totals: { total: 40.25 },
    count: 6,
  },
  rowsHash: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
};

interface Signed {
  statement: string;
  /** The key as the list has it. */
  key: object;
}

async function signed(over: Partial<Claims> = {}): Promise<Signed> {
  const signer = await signerOf({ signingKey: await newSigningKey() });
  if (!signer) throw new Error("a new key cannot be used");
  const { kid, x } = signer;
  const key = { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig", addedAt: "2026-01-01T00:00:00.000Z" };
  return { statement: (await signStatement(signer, { ...CLAIMS, ...over })) ?? "", key };
}

/** Runs the program of the document. Returns what it prints. */
async function verified(statement: string, keys: object[]): Promise<string> {
  const [, program = ""] = /```js\n(.*?)```/s.exec(readFileSync("docs/proof.md", "utf8")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-proof-"));
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/.well-known/jwks.json" ? 200 : 404;
    response.end(JSON.stringify({ keys }));
  });
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  writeFileSync(join(folder, "verify.mjs"), program);
  const { port } = server.address() as AddressInfo; // it listens on a port
  const child = spawn(process.execPath, ["verify.mjs", `http://127.0.0.1:${port}`, statement], { cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve) => child.on("close", resolve));
  return output;
}

test("the program of docs/proof.md has at most ten statements and verifies a statement", async () => {
  const { statement, key } = await signed();
  const printed = await verified(statement, [(await signed()).key, key]);
  expect(printed).toMatch(/^Valid \{/);
  for (const word of ["Kari Nordmann", "total: 40.25", "n: 6", CLAIMS.code, CLAIMS.rowsHash, "2026-01-01"]) {
    expect(printed).toContain(word);
  }
  const [, program = ""] = /```js\n(.*?)```/s.exec(readFileSync("docs/proof.md", "utf8")) ?? [];
  expect(program.match(/;$/gm)?.length).toBeLessThanOrEqual(10);
});

test("it verifies a statement of a retired key, and of a clock that was a day wrong", async () => {
  for (const madeAt of [CLAIMS.madeAt, new Date("2026-11-23T16:03:33Z"), new Date("2019-01-01T00:00:00Z")]) {
    const { statement, key } = await signed({ madeAt });
    const retired = { ...key, retiredAt: "2026-06-01T00:00:00.000Z" };
    expect(await verified(statement, [retired, (await signed()).key])).toMatch(/^Valid/);
  }
});

test("it does not verify a changed payload, a foreign signature, an unknown or another key, or another kind of token", async () => {
  const { statement, key } = await signed();
  const other = await signed({ totals: { total: 400.25 } });
  const [header, payload, signature] = statement.split(".");
  const [, otherPayload, otherSignature] = other.statement.split(".");
  const typed = Buffer.from(
    JSON.stringify({ ...JSON.parse(String(Buffer.from(header ?? "", "base64url"))), typ: "JWT" }),
  );
  for (const [words, changed, keys] of [
    ["a changed payload", [header, otherPayload, signature], [key, other.key]],
    ["a foreign signature", [header, payload, otherSignature], [key, other.key]],
    ["an unknown key", [header, payload, signature], [other.key]],
    ["another key under its id", [header, payload, signature], [{ ...other.key, kid: (key as { kid: string }).kid }]],
    ["another kind of token", [typed.toString("base64url"), payload, signature], [key]],
    ["no key at all", [header, payload, signature], []],
  ] as const) {
    expect([words, await verified(changed.join("."), [...keys])]).toEqual([words, expect.stringMatching(/^NOT VALID/)]);
  }
});
