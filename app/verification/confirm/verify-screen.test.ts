import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { LinkView } from "#app/verification/record.ts";
import { VerifyScreen } from "./verify-screen.tsx";

// No answer of the server is like this; a screen that believed it would show an empty form.
test("a link whose record is missing says Invalid Data Format and offers nothing to confirm", () => {
  const link = { state: "open", record: null, isOwn: false } as unknown as LinkView;
  const html = renderToStaticMarkup(createElement(VerifyScreen, { token: "t", link, timeZone: "UTC" }));
  expect(html).toContain("Invalid Data Format");
  expect(html).not.toContain("<form");
});
