import { localToday } from "#app/client/local-today.client.ts";
import { LONG_DAY, toHundredths } from "#app/records/hours.ts";
import { daysOf, type Form, type FormRecord, type FormUser, makeForm } from "./form.ts";
import { type Choice, FORMS } from "./forms.ts";

/**
 * Makes a form where the server makes no export: it has no code. It is a file of its own, because it is rarely needed.
 * @throws if the records cannot be loaded, or if those of one supervisor are wanted, which only the server can select
 */
export async function formWithoutCode(choice: Choice): Promise<Form> {
  const { form, from, to, supervisorId } = choice;
  if (supervisorId) throw new Error("only the server can select the records that a supervisor verified");
  const { types, calls } = FORMS[form];
  const [user, ...lists] = await Promise.all([
    get("/api/user").then((response): Promise<FormUser> => response.json()),
    ...calls.map((call) => getAll(call)),
  ]);
  const records = lists.flatMap((list, index) =>
    withLongDays(list).map((record) => ({ ...record, type: types[index] })),
  );
  const chosen = { from: from || null, to: to || null, isOfOneSupervisor: false, supervisor: null };
  const between = records.filter((record) => isBetween(daysOf(record)[0] ?? "", choice));
  return makeForm(form, user, between, localToday(), null, chosen);
}

const isBetween = (day: string, { from, to }: Choice) => (!from || day >= from) && (!to || day <= to);

/** Entries with the hours of their date, where they are `LONG_DAY` or more; the server does the same (`longDays`). */
function withLongDays(list: FormRecord[]): FormRecord[] {
  const days = new Map<unknown, number>();
  const dayOf = ({ date, broughtForward }: FormRecord) => (broughtForward ? undefined : date); // only entries have one
  for (const record of list) {
    const day = dayOf(record);
    if (day) days.set(day, (days.get(day) ?? 0) + toHundredths(Number(record.hours)));
  }
  return list.map((record) => {
    const total = days.get(dayOf(record)) ?? 0;
    return total >= LONG_DAY ? { ...record, dayHundredths: total } : record;
  });
}

/** All records of a list, which `Link` leads through. */
async function getAll(call: string): Promise<FormRecord[]> {
  const records: FormRecord[] = [];
  for (let next: string | undefined = call; next; ) {
    const response: Response = await get(next);
    const page: FormRecord[] = await response.json();
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
