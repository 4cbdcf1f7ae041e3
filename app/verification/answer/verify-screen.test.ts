import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { VerifyScreen } from "#app/routes/verify.tsx";
import type { LinkView } from "#app/verification/link-view.server.ts";

// The server never sends this. Catches a screen that shows an empty form for it.
test("a link whose record is missing says Invalid Data Format and offers nothing to confirm", () => {
  const link = { state: "open", isSeveral: false, items: [], isOwn: false } as unknown as LinkView;
  const acts = { isMailed: false, disownHref: null, canRefuse: false, newLinkTo: null, isDamaged: false };
  const html = renderToStaticMarkup(
    createElement(VerifyScreen, { token: "t", action: "/", link, acts, asker: null, timeZone: "UTC" }),
  );
  expect(html).toContain("Invalid Data Format");
  expect(html).not.toContain("<form");
});
