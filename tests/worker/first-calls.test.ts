import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startApp } from "./app.ts";

/* The five lines with which docs/api.md begins, sent one after the other as curl would send them. */

const app = await startApp();

const [, block = ""] = /```sh\n(.*?)```/s.exec(readFileSync("docs/api.md", "utf8")) ?? [];
const lines = block.trim().split("\n");

/** The words of a line as a shell reads them, with the values of its variables. */
function wordsOf(line: string, variables: Record<string, string>): string[] {
  const withValues = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_, name) => variables[name] ?? `no ${name}`);
  const parts = line.match(/'[^']*'|"(?:\\.|[^"\\])*"|\S+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith("'")) return part.slice(1, -1);
    return part.startsWith('"') ? withValues(part.slice(1, -1).replaceAll('\\"', '"')) : withValues(part);
  });
}

/** Sends a line as curl would: a GET, or with `-d` a POST. */
async function run(line: string, variables: Record<string, string>) {
  const [curl, address = "", ...options] = wordsOf(line, variables);
  expect(curl).toBe("curl");
  const headers: Record<string, string> = {};
  let body: string | undefined;
  for (let index = 0; index < options.length; index += 2) {
    const [option, value = ""] = options.slice(index, index + 2);
    const [name = "", text = ""] = value.split(": ");
    if (option === "-H") headers[name] = text;
    else if (option === "-d") body = value;
    else throw new Error(`the test knows no option ${option}`);
  }
  const { pathname, search } = new URL(address);
  return app
    .as(new Map())
    .send(body === undefined ? "GET" : "POST", pathname + search, { headers, ...(body && { body }) });
}

test("the five lines of docs/api.md lead from a token to a verified record", async () => {
  const kari = await app.register();
  const made = await kari.json("POST", "/api/tokens", { name: "First", access: "write" });
  const variables: Record<string, string> = {
    APP: "http://localhost",
    AUTH: `Authorization: Bearer ${made.json<{ token: string }>().token}`,
    JSON: "Content-Type: application/json",
  };
  expect(lines).toHaveLength(5);
  const [supervisor = "", entries = "", ask = "", verify = "", read = ""] = lines;
  const saved = await run(supervisor, variables);
  expect(saved.status).toBe(201);
  variables.SUPERVISOR = String(saved.json<{ id: number }>().id);
  const logged = await run(entries, variables);
  expect(logged.status).toBe(201);
  variables.ENTRY = String(logged.json<{ id: number }[]>()[0]?.id);
  const asked = await run(ask, variables);
  expect(asked.status).toBe(200);
  variables.LINK = asked.json<{ verificationToken: string }>().verificationToken;
  expect((await run(verify, variables)).status).toBe(200);
  const record = await run(read, variables);
  expect([record.status, record.json()]).toMatchObject([200, { verified: true, verifiedBy: "Ola Hansen", hours: 7.5 }]);
});
