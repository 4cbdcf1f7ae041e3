import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { tagsOf } from "#tests/worker/html.ts";

const app = await startApp();

// A number input would make 75 of `7,5` (docs/decisions/0068-hours-as-typed-and-printed.md).
test.each([
  ["/profile", "entries[0].hours"],
  ["/rope-hours", "hours"],
])("the hours of %s are text with a keypad for numbers", async (path, field) => {
  const page = await (await app.register()).get(path);
  const input = tagsOf(page.text, "input").find(({ name }) => name === field);
  expect(input).toMatchObject({ inputMode: "decimal", placeholder: "0.0" });
  expect(input).not.toHaveProperty("type");
});
