import type { Answer, Client } from "./client.ts";
import type { MailApp } from "./mail.ts";
import { PASSWORD, type Technician } from "./people.ts";

let addresses = 0;

/** An address without an account. */
export function freshEmail(): string {
  addresses += 1;
  return `moved-${addresses}@example.net`;
}

/** Requests a change of the email address by the API call. */
export function askFor(who: Client, email: string, password = PASSWORD): Promise<Answer> {
  return who.json("POST", "/api/user/email", { email, password });
}

/** Requests a change and returns the token of the link in the email to the new address. */
export async function tokenFor(app: MailApp, who: Technician, email: string): Promise<string> {
  const answer = await askFor(who, email);
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  await app.settled(who);
  const mail = app.mailChannels.delivered.findLast(({ to }) => to === email);
  const token = mail?.text.match(/http:\/\/hours\.example\.com\/account\/email\/(\S+)/)?.[1];
  if (!token) throw new Error("the email has no link");
  return token;
}

/** Confirms a change without a session, as on another device. */
export function confirm(app: MailApp, token: string): Promise<Answer> {
  return app.as(new Map()).json("POST", `/api/user/email/${token}`);
}

/** Changes the address of an account. */
export async function move(app: MailApp, who: Technician, email: string): Promise<void> {
  const answer = await confirm(app, await tokenFor(app, who, email));
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
}
