import { rmSync } from "node:fs";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { databaseFolder } from "#tests/memory-folder.ts";

/**
 * The data folder of a program that a test or a file starts. At the end of that test or file the program is stopped and
 * the folder removed. `afterAll` inside a test would be ignored, and Vitest kills its processes when all tests have run:
 * the program could stay.
 */
export function dataFolderOf(stop: () => Promise<unknown>): string {
  const folder = databaseFolder();
  atEnd(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs `end` after the test or the file that calls this. */
export function atEnd(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}
