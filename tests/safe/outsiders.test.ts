import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { HtmlValidate } from "html-validate";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import openapiTypescript, { astToString } from "openapi-typescript";
import { transformWithEsbuild } from "vite";
import { expect } from "vitest";
import { openApiDocument } from "#app/api/document.server.ts";
import { makeForm } from "#app/pdf/form.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { parseTable } from "#app/transfer/parse-table.ts";
import { LANGUAGES, verifiedLog } from "#tests/pdf/languages.ts";
import { nodePdf } from "#tests/pdf/node-pdf.tsx";
import { startApp } from "#tests/worker/app.ts";
import { exportHours } from "#tests/worker/exports.ts";
import { anEntry } from "#tests/worker/people.ts";
import { insertToken } from "#tests/worker/tokens.ts";
import { worldOf } from "#tests/worker/world.ts";
import { anonymousClient } from "./action.ts";
import { reportFigure, search } from "./figures.ts";
import { READS } from "./reads.ts";

/*
 * Tools that others wrote, against the app's own descriptions: an answer that only the app's own readers accept may be
 * wrong in the same way on both sides. They run in `npm run safe`. Seen to fail: an operation without an id (Redocly),
 * a renamed field in the client's program (tsc), a list in a paragraph (html-validate), a changed letter of a statement
 * (jose).
 */

const app = await startApp();
const folder = "node_modules/.cache/tests/outsiders";
mkdirSync(folder, { recursive: true });

search("Redocly's recommended rules find nothing in the OpenAPI document", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = openApiDocument(ALL_ENDPOINTS, "https://hours.northgate.no");
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  reportFigure("Redocly's recommended rules", "0 problems");
});

/** A program as a user of the API would write it, with types from the document. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./paths.d.ts";

export async function logAndRead(baseUrl: string, token: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer " + token } });
  const { data: made, error } = await client.POST("/api/entries", {
    body: [{ date: "2026-11-02", location: "Tank 7", method: "MT", hours: 7.5 }],
  });
  if (error) throw new Error(error.code);
  const [first] = made;
  if (!first) throw new Error("no entry");
  const { data: one } = await client.GET("/api/entries/{id}", { params: { path: { id: first.id } } });
  const list = await client.GET("/api/entries", { params: { query: { status: "pending", limit: "5" } } });
  const wrong = await client.PATCH("/api/entries/{id}", { params: { path: { id: first.id } }, body: { hours: 0 } });
  const code: "invalid" | undefined = wrong.response.status === 400 ? (wrong.error as { code: "invalid" }).code : undefined;
  const entries: components["schemas"]["Entry"][] = list.data ?? [];
  return [one?.location ?? "", String(entries.length), String(code)];
}
`;

search("a client that openapi-typescript generates compiles and runs", async () => {
  const types = astToString(await openapiTypescript(openApiDocument(ALL_ENDPOINTS, "http://localhost")));
  writeFileSync(`${folder}/paths.d.ts`, types);
  writeFileSync(`${folder}/program.ts`, PROGRAM);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--target", "es2022"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom", "--types", "node"];
  const compiled = spawnSync("node_modules/.bin/tsc", [...options, ...modules, `${folder}/program.ts`], {
    encoding: "utf8",
  });
  expect([compiled.stdout, compiled.status]).toEqual(["", 0]);
  const { code } = await transformWithEsbuild(PROGRAM, "program.ts");
  writeFileSync(`${folder}/program.mjs`, code);
  const program = (await import(/* @vite-ignore */ pathToFileURL(resolve(`${folder}/program.mjs`)).href)) as {
    logAndRead(baseUrl: string, token: string): Promise<string[]>;
  };
  const ada = await app.register();
  const { token } = await insertToken(app.db, ada.user.id, "write");
  const url = await app.url;
  expect(await program.logAndRead(url?.origin ?? "", token)).toEqual(["Tank 7", "1", "invalid"]);
  reportFigure("A client by openapi-typescript", "compiles and runs");
});

search("html-validate finds nothing on any page", async () => {
  const validator = new HtmlValidate({ extends: ["html-validate:standard"] });
  const problems: unknown[] = [];
  const pages = READS.filter(({ isApi }) => !isApi);
  for (const { name, path, who } of pages) {
    const world = await worldOf(app);
    const client = who === "nobody" ? anonymousClient(app) : world[who];
    const page = await client.get(path(world));
    if (!page.headers.get("Content-Type")?.startsWith("text/html")) continue;
    const { results } = await validator.validateString(page.text);
    for (const { ruleId, message, selector } of results.flatMap(({ messages }) => messages)) {
      problems.push([name, ruleId, message, selector]);
    }
  }
  expect(problems).toEqual([]);
  reportFigure("html-validate on every page", `0 problems on ${pages.length} pages`);
});

search("a JOSE library verifies the statement of an export with the published keys, and no changed one", async () => {
  const signed = await startApp();
  const ada = await signed.register();
  await ada.addVerifiedEntry(anEntry());
  const { statement } = await exportHours(ada);
  const keys = createLocalJWKSet((await signed.get("/.well-known/jwks.json")).json<JSONWebKeySet>());
  const { payload, protectedHeader } = await compactVerify(statement ?? "", keys);
  expect([protectedHeader.alg, JSON.parse(new TextDecoder().decode(payload))]).toMatchObject(["EdDSA", {}]);
  const [header, body = "", signature] = (statement ?? "").split(".");
  const changed = [header, `${body.slice(0, -2)}AA`, signature].join(".");
  await expect(compactVerify(changed, keys)).rejects.toThrow();
  reportFigure("A JOSE library", "verifies the statement");
});

search(
  "qpdf finds nothing in a form of 400 entries, where it is installed",
  async ({ skip }) => {
    if (spawnSync("qpdf", ["--version"]).status !== 0) skip("qpdf is not installed");
    for (const language of LANGUAGES) {
      const form = makeForm(
        "ojt",
        { name: "Kari", email: "kari@example.com", employeeNumber: "7" },
        verifiedLog(language, 400),
        "2026-11-21",
      );
      writeFileSync(`${folder}/form.pdf`, await nodePdf(form));
      const { status, stdout, stderr } = spawnSync("qpdf", ["--check", `${folder}/form.pdf`], { encoding: "utf8" });
      expect([language, status, stderr, stdout]).toEqual([
        language,
        0,
        "",
        expect.stringContaining("No syntax or stream encoding errors"),
      ]);
    }
    reportFigure("qpdf", `no warning in ${LANGUAGES.length} forms`);
  },
  120_000,
);

search("csv-spectrum's files are read with the values that it gives", () => {
  const own = "node_modules/csv-spectrum";
  const files = readdirSync(`${own}/csvs`).map((file) => {
    const name = file.replace(".csv", "");
    return { name, csv: readFileSync(`${own}/csvs/${file}`), json: readFileSync(`${own}/json/${name}.json`) };
  });
  // Its JSON has another phone number than its CSV (1234567890, 2095257564): a mistake of its authors.
  const compared = files.filter(({ name }) => name !== "location_coordinates");
  expect(compared.length).toBe(files.length - 1);
  const wrong = compared.flatMap(({ name, csv, json }) => {
    const expected: Record<string, string>[] = [JSON.parse(json.toString())].flat();
    const columns = Object.keys(expected[0] ?? {});
    const { rows, columns: found } = parseTable(
      csv.toString().replaceAll("\r\n", "\n"),
      (cells) => cells.filter((cell) => columns.includes(cell)).length,
      () => false,
    );
    const values = rows.map(({ cells }) => columns.map((_, index) => cells[index] ?? ""));
    // A line break in a cell is LF, whatever the file has.
    const wanted = expected.map((row) => Object.values(row).map((value) => value.replaceAll("\r\n", "\n")));
    return JSON.stringify([found, values]) === JSON.stringify([columns, wanted])
      ? []
      : [{ name, found, values, wanted }];
  });
  expect(wrong).toEqual([]);
  reportFigure("csv-spectrum", `${compared.length} files`);
});
