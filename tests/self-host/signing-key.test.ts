import type { JsonWebKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSigningKey, signingKeyProblem } from "#app/proof/signing-key.ts";
import type { Running } from "#self-host/build/running.ts";
import { verifiedClaims } from "#tests/worker/statement-claims.ts";
import { dataFolder, logged, register, SETTINGS, start, visit } from "./start.ts";

type PublicKey = JsonWebKey & { kid: string };

interface Made {
  code: string;
  statement: string | null;
}

/** Logs 7.5 hours, has them verified by their link, and exports them. */
async function exportOneEntry(running: Running): Promise<Made> {
  const kari = await register(running, "kari@example.com");
  const call = async <Answer = { id: number }>(path: string, body: object, by = kari.call) => {
    const answer = await by("POST", path, body);
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer; // which the API describes
  };
  const person = { name: "Ola Hansen", email: "ola@example.org", phone: "+47 555 01 230", company: "Fjord Inspection" };
  const supervisor = await call("/api/supervisors", { ...person, certificationLevel: "Level III" });
  const draft = { date: "2026-01-20", location: "Mongstad", method: "MT", hours: 7.5 };
  const [entry] = await call<{ id: number }[]>("/api/entries", [draft]);
  const path = `/api/verify-request/${entry?.id}`;
  const request = await call<{ verificationToken: string }>(path, { supervisorId: supervisor.id });
  const visitor: typeof kari.call = (method, path, body) =>
    visit(running.url + path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  await call(`/api/verify/${request.verificationToken}`, { supervisorName: "Ola Hansen" }, visitor);
  return call<Made>("/api/exports", { form: "ojt" });
}

test("the executable makes a signing key at its first start and keeps it in the data folder", async () => {
  const data = dataFolder();
  const file = join(data, "signing-key");
  let made = "";
  for (let starts = 0; starts < 2; starts += 1) {
    const running = await start(data);
    expect((await visit(`${running.url}/auth`)).status).toBe(200);
    made ||= readFileSync(file, "utf8");
    expect(signingKeyProblem(made)).toBeNull();
    const { d } = JSON.parse(made);
    for (const path of ["/signing-key", "/.well-known/jwks.json", "/data/signing-key"]) {
      expect(await (await visit(running.url + path)).text()).not.toContain(d);
    }
    await running.stop();
    expect(running.log.join("\n")).not.toContain(d);
    expect(readFileSync(file, "utf8")).toBe(made);
  }
});

test("a real export is signed with the key of the data folder, and verifies with the keys that the next start lists", async () => {
  const data = dataFolder();
  const first = await start(data);
  const { code, statement } = await exportOneEntry(first);
  const { x } = JSON.parse(readFileSync(join(data, "signing-key"), "utf8"));
  await first.stop();
  const second = await start(data);
  const { keys } = (await (await visit(`${second.url}/.well-known/jwks.json`)).json()) as { keys: PublicKey[] };
  expect(keys).toEqual([expect.objectContaining({ x, retiredAt: null })]);
  expect(verifiedClaims(statement ?? "", keys)).toMatchObject({
    code: code.replaceAll("-", ""),
    sum: { MT: 7.5, total: 7.5 },
    n: 1,
  });
  const [header, , signature] = statement?.split(".") ?? [];
  const forged = Buffer.from('{"sum":{"MT":800,"total":800}}').toString("base64url");
  expect(verifiedClaims(`${header}.${forged}.${signature}`, keys)).toBeNull();
});

test("with a malformed signing key, as a setting or in the file, it says so, and exports without a statement", async () => {
  for (const env of [{ ...SETTINGS, SIGNING_KEY: "{}" }, SETTINGS]) {
    const data = dataFolder();
    writeFileSync(join(data, "signing-key"), `${(await newSigningKey()).slice(1)}\n`);
    const running = await start(data, env);
    expect((await visit(`${running.url}/auth`)).status).toBe(200);
    expect((await visit(`${running.url}/healthz`)).status).toBe(200);
    const line = await logged(running.log, /"signing key".*SIGNING_KEY is not a private Ed25519 key as a JWK/);
    expect(line.includes("the file signing-key in the data folder")).toBe(env === SETTINGS);
    expect((await exportOneEntry(running)).statement).toBeNull();
  }
});

// As a start on a full disk leaves it, and as npm start does.
test("an empty file signing-key is replaced by a new key", async () => {
  const data = dataFolder();
  const file = join(data, "signing-key");
  writeFileSync(file, "\n");
  const running = await start(data);
  expect((await visit(`${running.url}/auth`)).status).toBe(200);
  expect(signingKeyProblem(readFileSync(file, "utf8"))).toBeNull();
});

test("a key of the setting is used, and no file is made", async () => {
  const data = dataFolder();
  const running = await start(data, { ...SETTINGS, SIGNING_KEY: await newSigningKey() });
  expect((await visit(`${running.url}/auth`)).status).toBe(200);
  expect(() => readFileSync(join(data, "signing-key"))).toThrow("ENOENT");
  await running.stop();
  expect(running.log.join("\n")).not.toContain("signing key");
});
