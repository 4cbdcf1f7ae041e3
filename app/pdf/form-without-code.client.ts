import { localToday } from "#app/client/local-today.client.ts";
import type { ListName } from "#app/db/enumerations.ts";
import { DAY_MAX, toHundredths } from "#app/records/hours.ts";
import type { Form, FormEntry, FormUser } from "./form.ts";
import { FORM_KINDS } from "./form-kinds.ts";
import { formOfKind } from "./form-of-kind.ts";

/**
 * The form of all verified hours of a kind where the server makes no export: it has no code. It is a file of its own,
 * because it is rarely needed.
 * @throws if the records cannot be loaded
 */
export async function formWithoutCode(kind: ListName): Promise<Form> {
  const [user, records] = await Promise.all([
    get("/api/user").then((response): Promise<FormUser> => response.json()),
    getAll(FORM_KINDS[kind].call),
  ]);
  return formOfKind(kind, user, kind === "entries" ? withLongDays(records as FormEntry[]) : records, localToday());
}

/** Entries with the hours of their date, where they are more than 24; the server does the same (`longDays`). */
function withLongDays(entries: FormEntry[]): FormEntry[] {
  const days = new Map<string, number>();
  for (const { date, hours, broughtForward } of entries) {
    if (!broughtForward) days.set(date, (days.get(date) ?? 0) + toHundredths(hours));
  }
  return entries.map((entry) => {
    const total = entry.broughtForward ? 0 : (days.get(entry.date) ?? 0);
    return total > DAY_MAX ? { ...entry, dayHundredths: total } : entry;
  });
}

/** All records of a list, which `Link` leads through. */
async function getAll(call: string): Promise<{ id: number }[]> {
  const records: { id: number }[] = [];
  for (let next: string | undefined = call; next; ) {
    const response: Response = await get(next);
    const page: { id: number }[] = await response.json();
    records.push(...page);
    const [, href] = response.headers.get("Link")?.match(/<([^>]+)>; rel="next"/) ?? [];
    const { pathname, search } = new URL(href ?? "", location.href);
    next = href && pathname + search; // the page's own host, by whichever name it was opened
  }
  return records;
}

async function get(call: string): Promise<Response> {
  const response = await fetch(call);
  if (!response.ok) throw new Error(`${call} answered ${response.status}`);
  return response;
}
