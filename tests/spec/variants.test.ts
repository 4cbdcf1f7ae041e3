import { rmSync } from "node:fs";
import { loadConfigFromFile } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { copyChanged, VARIANTS } from "#bench/variant.ts";

const names = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[];

// Catches a folder that is not copied: `npm run measure -- render` could not resolve "./scripts/lib/memory-folder.ts".
test.each(names)(
  "the copy of the product that `npm run measure` calls %s has its changes and all that its build imports",
  async (name) => {
    const folder = `build/checked-${name}-${process.pid}`;
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    copyChanged(name, folder);
    const loaded = await loadConfigFromFile({ command: "build", mode: "test" }, `${folder}/remix.config.ts`, folder);
    expect(loaded?.dependencies.length).toBeGreaterThan(5);
  },
);
