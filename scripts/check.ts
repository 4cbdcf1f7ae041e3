import test from "./test.ts";

/** `npm run check`: types and lint alone. */
export default function check(): Promise<void> {
  return test(["types", "lint"]);
}
