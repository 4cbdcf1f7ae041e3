import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Mail } from "#tests/worker/fake-mailchannels.ts";

/** The file to which the mail service of the tests writes the emails, one a line. */
export const MAIL_FILE = join(process.env.BROWSER_TEST_DATA ?? "", "mail.jsonl");

/** Returns the emails to an address, newest first. */
export function mailTo(address: string): Mail[] {
  return readFileSync(MAIL_FILE, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line): Mail => JSON.parse(line))
    .filter(({ to }) => to === address)
    .reverse();
}

/** Waits for the newest email to an address with this subject. Returns the path of its first link, or of one like `link`. */
export async function linkTo(address: string, subject: string | RegExp, link = /\/\S+/): Promise<string> {
  let path = "";
  await expect(async () => {
    const mail = mailTo(address).find((one) => one.subject.match(subject));
    path = mail?.text.match(new RegExp(`https?://[^/\\s]+(${link.source})`))?.[1] ?? "";
    expect(path).not.toBe("");
  }).toPass();
  return path;
}
