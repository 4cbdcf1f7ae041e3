import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

/** What differs from run to run, and what pictures show instead. */
const VARYING: [pattern: string, instead: string][] = [
  ["\\d{1,2} [A-Z][a-z]{2} \\d{4}", "2 Mar 2026"],
  ["^\\d{1,2} [A-Z][a-z]{2}(?=:)", "2 Mar"],
  ["\\d{1,2}\\s[A-Z][a-z]{2}\\s\\+\\d+\\sd", "2 Mar +5 d"],
  ["\\d\\d:\\d\\d", "09:00"],
  ["[\\w-]+@example\\.com", "somebody@example.com"],
  ["VER-[\\w-]+", "VER-0000"],
  ["\\b[0-9a-f]{12,}\\b", "000000000000"],
  ["\\d+\\.\\d+\\.\\d+\\.\\d+", "10.0.0.1"],
  ["Mozilla/.*", "Mozilla/5.0"],
  ["(Chrome|Edge|Firefox|Safari) on \\w+", "Chrome on Linux"],
];

const FONT = readFileSync(
  createRequire(import.meta.url).resolve("@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2"),
  "base64",
);

/**
 * Bars in the colour of the text, as wide and as high on the page as the text is in one font that every machine has.
 * Browsers draw letters, and the controls of their own, in slightly different ways.
 */
const STYLE = `
  *, ::before, ::after {
    font-family: fixed !important;
    text-rendering: geometricPrecision !important; /* without hinting, which makes the widths differ */
    text-decoration: underline solid currentColor 1.2em !important;
    text-underline-offset: -0.95em !important;
    text-decoration-skip-ink: none !important;
  }
  input, select, textarea, ::placeholder { -webkit-text-fill-color: #0000; }
  svg text { opacity: 0; }
  ::-webkit-calendar-picker-indicator { opacity: 0; }
  select { appearance: none; }
`;

/** Replaces the page's text by bars of the same width on every machine and in every run. */
export async function showFixedText(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle"); // its script has run
  await page.evaluate(
    async ([style, font, varying]) => {
      // A sheet and a font that scripts make: the page's Content-Security-Policy allows no others.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      document.adoptedStyleSheets.push(sheet);
      const bytes = Uint8Array.from(atob(font), (byte) => byte.charCodeAt(0));
      document.fonts.add(await new FontFace("fixed", bytes, { weight: "1 1000" }).load());
      // The email may have been sent since the page was loaded.
      for (const notice of document.querySelectorAll(".notice.waiting")) {
        if (!/is on its way|It goes to/.test(notice.textContent)) continue;
        notice.className = "notice done";
        const text = notice.lastElementChild ?? notice; // one paragraph of several, or the notice itself
        text.textContent = text.textContent
          .replace("is on its way", "has been sent")
          .replace("It goes to", "It went to");
      }
      // A QR code contains the server's port.
      for (const path of document.querySelectorAll(".qr path, [id$='-qr'] path")) path.removeAttribute("d");
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const [pattern, instead] of varying) {
          text.nodeValue = text.nodeValue?.replace(new RegExp(pattern, "g"), instead) ?? "";
        }
      }
    },
    [STYLE, FONT, VARYING] as const,
  );
}
