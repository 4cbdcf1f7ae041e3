import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callsOf, codesOf } from "#app/api/document.server.ts";
import { ERROR_CODES } from "#app/errors.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { CALLS } from "#tests/worker/calls.ts";
import { faultsBy, operationOf } from "#tests/worker/described.ts";
import { nameOf } from "#tests/worker/make-call.ts";
import { apiTable } from "./api-table.ts";

test("docs/api-calls.md is what is generated from the endpoints", async () => {
  await expect(apiTable()).toMatchFileSnapshot("../../docs/api-calls.md");
});

// Catches an endpoint that no row of the tables of tests calls.
test("every endpoint is called by the tests of the API", () => {
  const names = callsOf(ALL_ENDPOINTS).map(({ name }) => name.replace(/\{\w+\}/, "{id}"));
  expect(CALLS.map(nameOf).sort()).toEqual(names.filter((name) => !name.endsWith("openapi.json")).sort());
});

// Catches a code that no call answers, and one whose status docs/api.md does not explain.
test("every code of a refusal is used, and docs/api.md has its status", () => {
  const sources = ["app", "self-host"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name) && name !== "errors.ts")
      .map((name) => readFileSync(`${folder}/${name}`, "utf8")),
  );
  const text = readFileSync("docs/api.md", "utf8");
  const faults = Object.entries(ERROR_CODES).filter(
    ([code, { status }]) =>
      !sources.some((source) => source.includes(`"${code}"`)) || !new RegExp(`\\b${status}\\b`).test(text),
  );
  expect(faults).toEqual([]);
});

// Seen: a search could answer 429 busy, and signing in 403 locked; neither was described.
test("the refusals of a call are those that it can answer", () => {
  const calls = callsOf(ALL_ENDPOINTS);
  const codes = new Map(calls.map((call) => [call.name, codesOf(call)]));
  expect(codes.get("POST /api/auth/login")).toContain("locked");
  expect(codes.get("POST /api/user/email")).not.toContain("own_mailbox");
  const searches = ["GET /api/entries", "GET /api/rope-hours", "GET /api/training", "GET /api/certificates"];
  expect(searches.filter((name) => codes.get(name)?.includes("busy"))).toEqual(searches);
  expect(codes.get("GET /api/tokens")).not.toContain("busy");
  expect([codes.get("POST /api/entries"), codes.get("DELETE /api/entries/{id}")]).toEqual([
    expect.arrayContaining(["busy"]),
    expect.not.arrayContaining(["busy"]),
  ]);
});

// Catches an example that cannot be sent or received: made by hand for a field that has been renamed since.
test("every example in the OpenAPI document is one that its schema describes", () => {
  const faults = callsOf(ALL_ENDPOINTS).flatMap(({ name, method, endpoint, operation }) => {
    const described = operationOf(method, endpoint.path.replaceAll(/\{\w+\}/g, "1"));
    const body = described?.requestBody?.content["application/json"];
    const contents = [
      body,
      ...Object.values(described?.responses ?? {}).flatMap(({ content }) => Object.values(content ?? {})),
    ];
    const wrong = contents.flatMap((one) => (one ? faultsBy(one.schema, one.example) : []));
    const sent = operation.sent ?? operation.body;
    const refused =
      sent?.safeParse(body?.example).error?.issues.map(({ message, path }) => `${path}: ${message}`) ?? [];
    return [...wrong, ...refused].map((fault) => `${name}: ${fault}`);
  });
  expect(faults).toEqual([]);
});

test("every call has a name of its own, a subject and a description", () => {
  const described = callsOf(ALL_ENDPOINTS).map(({ method, endpoint }) =>
    operationOf(method, endpoint.path.replaceAll(/\{\w+\}/g, "1")),
  );
  expect(new Set(described.map((call) => call?.operationId)).size).toBe(described.length);
  expect(described.filter((call) => !call?.tags[0] || !call.description)).toEqual([]);
});
