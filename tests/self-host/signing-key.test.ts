import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSigningKey, signingKeyProblem } from "#app/proof/signing-key.ts";
import { dataFolder, logged, SETTINGS, start, visit } from "./start.ts";

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

test("with a malformed signing key, as a setting or in the file, it says so and works", async () => {
  for (const env of [{ ...SETTINGS, SIGNING_KEY: "{}" }, SETTINGS]) {
    const data = dataFolder();
    writeFileSync(join(data, "signing-key"), `${(await newSigningKey()).slice(1)}\n`);
    const running = await start(data, env);
    expect((await visit(`${running.url}/auth`)).status).toBe(200);
    expect((await visit(`${running.url}/healthz`)).status).toBe(200);
    await logged(running.log, /"signing key".*SIGNING_KEY is not a private Ed25519 key as a JWK/);
  }
});

test("a key of the setting is used, and no file is made", async () => {
  const data = dataFolder();
  const running = await start(data, { ...SETTINGS, SIGNING_KEY: await newSigningKey() });
  expect((await visit(`${running.url}/auth`)).status).toBe(200);
  expect(() => readFileSync(join(data, "signing-key"))).toThrow("ENOENT");
  await running.stop();
  expect(running.log.join("\n")).not.toContain("signing key");
});
