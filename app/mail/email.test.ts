import { expect, test } from "vitest";
import { type Email, renderText } from "./email.ts";
import { renderHtml } from "./email-html.ts";
import { mailSettings } from "./settings.server.ts";

const HOSTILE = `"><script>alert('x')</script>&`;

const letter: Email = {
  to: { email: "ola@example.org" },
  subject: HOSTILE,
  greeting: `Hello ${HOSTILE},`,
  lead: HOSTILE,
  facts: [
    ["Hours", "7.5"],
    ["Skills", "Rescue\nHours: 900"],
    ["Place", HOSTILE],
  ],
  button: { label: "Check and verify", url: "https://hours.example.com/verify/1?a=1&b=2" },
  notes: [HOSTILE],
};

test("typed text is escapeHtml in the HTML", () => {
  const html = renderHtml(letter);
  expect(html).not.toMatch(/<script|'x'|">alert/);
  expect(html.match(/&lt;script&gt;/g)?.length).toBe(5);
  expect(html).toContain('href="https://hours.example.com/verify/1?a=1&amp;b=2"');
});

test("the HTML loads nothing and has one button", () => {
  const html = renderHtml(letter);
  expect(html).not.toMatch(/<img|src=|@import|url\(|<link/);
  expect(html.match(/<a /g)).toHaveLength(1);
});

test("a value with line breaks cannot imitate another fact in the plain text", () => {
  expect(renderText(letter)).toContain("Hours:  7.5\nSkills: Rescue\n        Hours: 900\n");
});

test("the plain text is wrapped, but never inside a link", () => {
  const url = `https://hours.example.com/verify/${"x".repeat(100)}`;
  const text = renderText({ ...letter, lead: "word ".repeat(60).trim(), button: { label: "Open", url } });
  expect(text.split("\n")).toContain(url);
  for (const line of text.split("\n")) if (line !== url) expect(line.length).toBeLessThanOrEqual(72);
});

test("email is configured when key, sender and origin are set; the origin never comes from a request", () => {
  const env = { MAILCHANNELS_API_KEY: "k", MAIL_FROM: "Hours Tracker <hours@example.com>" };
  expect(mailSettings(env)).toBeNull();
  expect(mailSettings({ ...env, PUBLIC_ORIGIN: "https://hours.example.com/" })?.origin).toBe(
    "https://hours.example.com",
  );
  expect(mailSettings({ ...env, LOCAL_ORIGIN: "http://localhost:8787" })?.origin).toBe("http://localhost:8787");
  const both = { ...env, PUBLIC_ORIGIN: "https://hours.example.com", LOCAL_ORIGIN: "http://localhost:8787" };
  expect(mailSettings(both)?.origin).toBe("https://hours.example.com");
  for (const wrong of ["", "hours", "Hours Tracker", "Hours <hours>", "a@b <c@d.e> x"]) {
    expect([wrong, mailSettings({ ...both, MAIL_FROM: wrong })]).toEqual([wrong, null]);
  }
});
