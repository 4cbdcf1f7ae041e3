import { expect } from "vitest";
import { anEntry, aRopeHours, formFields } from "#tests/worker/people.ts";
import { CALL, type Kind } from "./model.ts";
import { command, personOf, pick, readClient, sendKeyed, statusOf } from "./model-command.ts";

const rowNames = (entry: object) =>
  Object.fromEntries(Object.entries(entry).map(([name, value]) => [`entries[0].${name}`, String(value)]));
/** Logs a record by page or API. */
export const log = (number: number, kind: Kind, isPage: boolean, isLost: boolean, day: number, hours: number) => {
  // Days that have begun: later ones cannot be verified.
  const date = `2026-10-${String(day).padStart(2, "0")}`;
  const content =
    kind === "entry" ? anEntry({ date, hours }) : aRopeHours({ startDate: date, endDate: "2026-10-31", hours });
  const form = kind === "entry" ? "/profile/entries" : "/rope-hours/new";
  const how = `${isPage ? "by the page" : "by the call"}${isLost ? ", and the answer is lost" : ""}`;
  return command(`person ${number} logs a ${kind} ${how}`, async (model, real) => {
    const person = personOf(model, number);
    const client = readClient(real, number);
    const answer = await sendKeyed(isLost, (key, headers) =>
      isPage
        ? client.post(`${form}/${key}`, kind === "entry" ? rowNames(content) : formFields(content), headers)
        : client.json("POST", CALL[kind], content, { ...headers, "Idempotency-Key": key }),
    );
    if (!person.isSignedIn) return expect([401, 303]).toContain(answer.status);
    expect(answer.status).toBe(isPage ? 303 : 201);
    const saved = isPage ? [] : [answer.json<{ id: number } | { id: number }[]>()].flat();
    const id = isPage
      ? Number(new URL(answer.location ?? "", "http://localhost").searchParams.get("saved"))
      : saved[0]?.id;
    // The default of the field that was not sent: hours that were worked on that day, not brought forward.
    const stored = kind === "entry" ? { ...content, broughtForward: false } : content;
    model.records.push({ kind, id: id ?? 0, owner: number, date, content: stored, token: null, verifiedBy: null });
  });
};

export const edit = (number: number, choice: number, hours: number) =>
  command(`person ${number} edits record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const answer = await readClient(real, number).json("PATCH", `${CALL[record.kind]}/${record.id}`, { hours });
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200 || record.content.hours === hours) return;
    // The supervisor's request has other values.
    record.token = null;
    record.content = { ...record.content, hours };
  });

export const remove = (number: number, choice: number) =>
  command(`person ${number} deletes record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const answer = await readClient(real, number).json("DELETE", `${CALL[record.kind]}/${record.id}`);
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    model.records = model.records.filter((one) => one !== record);
    model.deleted.push({ ...record, token: null });
  });

export const undo = (number: number, choice: number) =>
  command(`person ${number} takes deletion ${choice} back`, async (model, real) => {
    const record = pick(model.deleted, choice);
    if (!record) return;
    const answer = await readClient(real, number).json("POST", `${CALL[record.kind]}/${record.id}/restore`, {});
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status);
    if (status !== 200) return;
    model.deleted = model.deleted.filter((one) => one !== record);
    model.records.push(record);
  });

export const adminDeletesEntry = (choice: number) =>
  command(`the admin deletes entry ${choice}`, async (model, real) => {
    const entry = pick(
      model.records.filter(({ kind }) => kind === "entry"),
      choice,
    );
    const path = `/api/admin/entries/${entry?.id ?? 999_999}`;
    expect((await real.admin.json("DELETE", path)).status).toBe(entry ? 200 : 404);
    expect((await real.admin.json("DELETE", path)).status).toBe(404);
    model.records = model.records.filter((record) => record !== entry);
  });
