import { rmSync } from "node:fs";
import { loadConfigFromFile } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { copyChanged } from "#bench/variant.ts";

// Catches a folder that is not copied: `npm run measure -- render` could not resolve "./tests/memory-folder.ts".
test("the copy of the product that `npm run measure` builds has its changes and all that its build imports", async () => {
  const folder = `build/checked-${process.pid}`;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyChanged(folder);
  const loaded = await loadConfigFromFile({ command: "build", mode: "test" }, `${folder}/remix.config.ts`, folder);
  expect(loaded?.dependencies.length).toBeGreaterThan(5);
});
