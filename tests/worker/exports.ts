import type { FormName } from "#app/db/enumerations.ts";
import type { Form } from "#app/pdf/form.ts";
import type { MailApp } from "./mail.ts";
import type { Technician } from "./people.ts";
import { freshEmail } from "./request-emails.ts";

/** An export as `POST /api/exports` returns it. */
export interface MadeExport {
  id: number;
  code: string;
  url: string;
  madeAt: string;
  statement: string | null;
  form: Form;
}

/** A check as `GET /api/check/{code}` returns it, of an export that shows something. */
export interface ShownCheck {
  madeAt: string;
  technician: { name: string; employeeNumber: string | null };
  from: string | null;
  to: string | null;
  supervisor: string | null;
  leftOut: { records: number; hours: number } | null;
  totals: Record<string, number>;
  stillVerified: Record<string, number>;
  records: (Record<string, string | number | null> & { state: string })[];
  statement: string | null;
}

/** Makes an export, with a key if the test needs one. */
export async function exportHours(who: Technician, form: FormName = "ojt", key?: string): Promise<MadeExport> {
  const answer = await who.json("POST", "/api/exports", { form }, key ? { "Idempotency-Key": key } : {});
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
  return answer.json<MadeExport>();
}

/**
 * Has a record verified by the link that was mailed to a new address, so that the verification is `mailbox`: by a
 * visitor who is signed out, or as `by`. An address gets a second email about a record only after `nextDay`. Returns
 * the path of the link to disown it.
 */
export async function verifyByMailbox(
  app: MailApp,
  who: Technician,
  id: number,
  { call = "verify-request", email = freshEmail(), by = who.as(new Map()) } = {},
) {
  const supervisor = await who.addSupervisor({ email });
  await who.json("POST", `/api/${call}/${id}`, { supervisorId: supervisor.id });
  await app.idle();
  const mailed = () => app.mailChannels.delivered.filter(({ to }) => to === email);
  const links = mailed().flatMap(({ text }) => text.match(/\/verify\/[0-9a-f-]{36}\?m=[\w-]+/) ?? []);
  const answer = await by.json("POST", `/api${links.at(-1)}`, { supervisorName: "Ola Hansen" });
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  const disownPath = async () => {
    await app.idle();
    await app.tick(new Date());
    await app.idle();
    const notice = mailed().find(({ subject }) => subject.includes("in your name"));
    return notice?.text.match(/(\/disown\/\S+)/)?.[1] ?? "";
  };
  return { email, disownPath };
}
