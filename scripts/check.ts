import test from "./test.ts";

/** `npm run check`: types, lint and imports. */
export default function check(): Promise<void> {
  return test(["types", "lint", "imports"]);
}
