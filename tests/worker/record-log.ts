import type { MailApp } from "./mail.ts";
import type { Technician } from "./people.ts";

/** The JSON of a record's verification: its request and its log. */
export interface RecordLog {
  request: { requestedAt: string; supervisor: { name: string; email: string }; mail: string; open: boolean } | null;
  log: {
    number: number;
    event: string;
    at: string;
    address: string | null;
    browser: string | null;
    supervisor: Record<string, string> | null;
    name: string | null;
    accountId: number | null;
    technician: { name: string | null; employeeNumber: string | null } | null;
    erased: boolean;
    cause: string | null;
    recordHash: string;
  }[];
  /** The emails and openings of its requests. */
  requestEvents: { event: string; at: string; address: string | null; browser: string | null }[];
  intact: boolean;
  /** Whether the supervisor's address asked for no more emails, so it gets none about the verification. */
  notTold: boolean;
}

export async function listEvents(app: MailApp, ada: Technician, id: number, kind = "entries"): Promise<RecordLog> {
  await app.idle();
  return (await ada.get(`/api/${kind}/${id}/verification`)).json<RecordLog>();
}

/** The events of a record's log and of its requests, by their time. */
export async function listEventNames(app: MailApp, ada: Technician, id: number, kind = "entries"): Promise<string[]> {
  const { log, requestEvents } = await listEvents(app, ada, id, kind);
  const all = [...log, ...requestEvents].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return all.map(({ event }) => event);
}

/** The headers of a client with a fixed address and browser. */
export const FROM = { "CF-Connecting-IP": "192.0.2.7", "User-Agent": "Gauge/1.0" };
