import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { tagsOf } from "#tests/worker/html.ts";

const app = await startApp();

test.each([
  ["/profile", "entries[0].hours", { min: "0", step: "0.5", placeholder: "0.0" }],
  ["/rope-hours", "hours", { min: "0", step: "0.1" }],
])("the hours of %s are a number from 0, in the spec's steps", async (path, field, expected) => {
  const page = await (await app.register()).get(path);
  const input = tagsOf(page.text, "input").find(({ name }) => name === field);
  expect(input).toMatchObject({ type: "number", ...expected });
});
