import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { textsOf } from "#tests/worker/html.ts";

const app = await startApp();

test("without a verified entry the print page redirects back and says what is missing", async () => {
  const ada = await app.register();
  await ada.addEntry();
  const answer = await ada.get("/profile/print");
  expect([answer.status, answer.location]).toEqual([303, "/profile"]);
  expect(textsOf((await ada.follow(answer)).text, "div", 'role="alert"')).toEqual([
    "No verified entries You need at least one verified entry to export as PDF.",
  ]);
});
