import { expect } from "vitest";
import type { Answer } from "./client.ts";
import type { MailApp } from "./mail.ts";
import type { Technician } from "./people.ts";

let addresses = 0;

/** An email address that has had no email. */
export function freshEmail(): string {
  addresses += 1;
  return `stranger-${addresses}@example.org`;
}

/** Requests the verification of a record from a saved supervisor. */
export function ask(who: Technician, id: number, supervisorId: number, kind = "verify-request"): Promise<Answer> {
  return who.json("POST", `/api/${kind}/${id}`, { supervisorId });
}

/** Saves a supervisor with this address and asks them. Returns whether an email was queued. */
export async function isEmailed(who: Technician, id: number, email: string): Promise<boolean | undefined> {
  const supervisor = await who.addSupervisor({ email });
  return emailedBy(await ask(who, id, supervisor.id));
}

/** Whether a successful request has queued an email. */
export function emailedBy(answer: Answer): boolean | undefined {
  expect(answer.status).toBe(200);
  const { emailed, verificationUrl } = answer.json<{ emailed: boolean; verificationUrl: string }>();
  expect(verificationUrl).toMatch(/\/verify\/[0-9a-f-]{36}$/);
  return emailed;
}

/** The number of emails that an address has received. */
export async function mailedTo(app: MailApp, address: string): Promise<number> {
  await app.idle();
  return app.mailChannels.delivered.filter(({ to }) => to === address).length;
}
