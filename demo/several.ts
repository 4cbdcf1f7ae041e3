import type { AppLoadContext } from "@remix-run/cloudflare";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { ropeHoursKind } from "#app/records/rope-hours/rope-hours.kind.ts";
import { answerRequest, findVerifyLink } from "#app/verification/answer/answer-request.server.ts";
import { noteOpening } from "#app/verification/answer/opening.server.ts";
import { itemKey } from "#app/verification/record.ts";
import { requestRecords } from "#app/verification/requests/request.server.ts";

/** Opens the page of a link and answers, as a supervisor does. */
export async function openAndAnswer(...answer: Parameters<typeof answerRequest>): Promise<void> {
  const [context, token] = answer;
  const afterwards: AppLoadContext["afterwards"][number][] = [];
  const page = { ...context, visit: { ...context.visit, method: "GET" }, afterwards };
  noteOpening(page, await findVerifyLink(page, token));
  for (const note of afterwards) await note();
  await answerRequest(...answer);
}

/** How many of the newest pending records stay without a request. */
const LEFT = 3;

interface Pending {
  type: string;
  id: number;
}

/**
 * The records that the demo technician requests a verification for: the ids of those that are pending, the oldest
 * first.
 */
interface Records {
  entries: number[];
  ropeHours: number[];
}

/**
 * Requests for several records of the demo technician: one that waits whole, and one that a supervisor has answered in
 * part. `technician` and `visitor` are contexts at the time of the requests and of the answer.
 */
export async function addRequestsOfSeveral(
  technician: AppLoadContext,
  visitor: AppLoadContext,
  { entries, ropeHours }: Records,
  [first, second]: readonly number[],
): Promise<void> {
  const list = (type: string, ids: number[]): Pending[] => ids.map((id) => ({ type, id }));
  const asked = entries.slice(0, Math.max(0, entries.length - LEFT));
  // The oldest were forgotten at the time.
  const forgotten = list(entryKind.name, asked.slice(0, 3));
  const recent = [...list(entryKind.name, asked.slice(3)), ...list(ropeHoursKind.name, ropeHours.slice(0, 1))];
  if (!first || !second || forgotten.length < 3 || recent.length === 0) return;
  await requestRecords(technician, { supervisorId: first, records: recent });
  const { request } = await requestRecords(technician, { supervisorId: second, records: forgotten });
  const [verified, declined, skipped] = forgotten.map(({ type, id }) => itemKey(type, id));
  if (!verified || !declined || !skipped) return;
  await openAndAnswer(visitor, request.token, {
    supervisorName: request.requestedName ?? "",
    via: "mailbox",
    declined: new Map([[declined, "I was not on site that week. Please ask Ingrid."]]),
    skipped: new Set([skipped]),
  });
}
