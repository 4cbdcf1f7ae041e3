import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { signingKeyProblem } from "#app/proof/signing-key.ts";
import { run } from "#scripts/lib/process.ts";
import { installChromium } from "#tests/chromium.ts";
import { longTest, reportFigure } from "#tests/safe/figures.ts";
import { npmStart } from "./npm-start.ts";
import { dataFolder, visit } from "./start.ts";

/*
 * The commands that README and CONTRIBUTING name. Catches `npm run measure -- render`, which ended with *Could not
 * resolve "./tests/memory-folder.ts"* while no test ran them.
 */

/** Where each command runs as a process, or why it runs in no test. */
const RUN_BY: Record<string, string> = {
  start: "tests/self-host/npm-start.test.ts",
  seed: "tests/self-host/seed.test.ts",
  admin: "tests/browser/admin-person.ts",
  "verify-log": "tests/self-host/seed.test.ts",
  "signing-key": "here",
  "erase-supervisor": "tests/self-host/seed.test.ts",
  dev: "here",
  binary: "tests/self-host/build.ts",
  measure: "here",
  check: "its parts are in `npm test`",
  safe: "it is the long version of these tests",
  deploy: "it needs an account",
  "mail:test": "commands.test.ts and smtp.test.ts run it",
};

test("every command that README and CONTRIBUTING name runs in a test, or its reason is here", () => {
  const text = ["README.md", "CONTRIBUTING.md"].map((file) => readFileSync(file, "utf8")).join();
  const named = [...text.matchAll(/npm run ([\w:-]+)|npm (start)/g)].map(([, name, start]) => name ?? start ?? "");
  expect([...new Set(named)].sort()).toEqual(Object.keys(RUN_BY).sort());
});

function command(args: string[], env: Record<string, string> = {}) {
  return run(process.execPath, ["scripts/run.mjs", ...args], { quiet: true, isSystem: true, env });
}

test("npm run signing-key prints a key that can sign", async () => {
  const { status, stdout } = await command(["signing-key"]);
  expect([status, signingKeyProblem(stdout)]).toEqual([0, null]);
});

longTest("npm run dev serves the sources", async () => {
  const app = await npmStart(dataFolder(), {}, "dev");
  expect(await (await visit(`${app.url}/auth`)).text()).toContain("</html>");
  expect(await app.stop()).toBe(0);
});

/** The parts of `npm run measure`. */
const PARTS = "bytes paint export bundles render database scale load acts import".split(" ");

longTest("every part of npm run measure can be measured", async () => {
  const env = { MEASURE_RUNS: "1", CHROMIUM_PATH: (await installChromium()) ?? "" };
  const { status, output } = await command(["measure", ...PARTS], env);
  expect([status, status === 0 ? "" : output]).toEqual([0, ""]);
  expect(output).toMatch(/\d+ figures reach their target, \d+ miss it\./);
  const missed = output.split("\n").filter((line) => line.includes("| MISS |"));
  console.log(["Figures that miss their target:", ...missed].join("\n"));
  reportFigure("Parts of npm run measure", `${PARTS.length} of ${PARTS.length}, ${output.trim().split("\n").at(-1)}`);
});
