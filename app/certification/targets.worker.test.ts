import { expect, test } from "vitest";
import type { TargetItem } from "#app/certification/targets.table.ts";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import type { Technician } from "#tests/worker/people.ts";
import {
  countCertificates,
  countParts,
  countProgress,
  type LoggedCertificate,
  type LoggedRecord,
  type RandomTarget,
  randomLog,
  storeLog,
} from "#tests/worker/random-progress.ts";
import { anItem, aTarget } from "#tests/worker/targets.ts";

const app = await startApp();

interface Target {
  id: number;
  title: string;
  items: { title: string; required: number; methods: string[] }[];
}

async function add(technician: Technician, body: unknown, headers?: Record<string, string>): Promise<Target> {
  const answer = await technician.json("POST", "/api/targets", body, headers);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json<Target>();
}

const listed = async (technician: Technician) => (await technician.get("/api/targets")).json<Target[]>();

test("a target comes back as it was sent: trimmed, figures to the hundredth, numbers as text understood", async () => {
  const ada = await app.register();
  const items = [
    anItem({ title: " UT  ", required: "7.126" }),
    anItem({ kind: "rope_hour", methods: [], required: 0.01 }),
  ];
  const target = await add(ada, { ...aTarget({ title: "  Level II\n" }), items, isAdmin: true });
  expect(target).toEqual({
    id: expect.any(Number),
    title: "Level II",
    standard: "SNT-TC-1A",
    edition: "",
    source: "",
    since: "2026-02-01",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    items: [anItem({ title: "UT", required: 7.13 }), anItem({ kind: "rope_hour", methods: [], required: 0.01 })],
  });
  expect(await listed(ada)).toEqual([target]);
});

// Seen: 20 targets of 50 items with the longest texts were one answer of 2.4 MB.
test("the list ends at 2 MB, newest first, and Link leads through all targets once", async () => {
  const ada = await app.register();
  const title = "𐐀".repeat(200);
  const valid = { unit: "valid", kind: "certificate", category: "certificate", required: 1 };
  const items = Array.from({ length: 50 }, () => anItem({ ...valid, title, clause: title, standard: title }));
  const made: number[] = [];
  for (let n = 0; n < 20; n += 1) made.unshift((await add(ada, aTarget({ source: title, items }))).id);
  const pages: number[][] = [];
  for (let next: string | undefined = "/api/targets"; next; ) {
    const answer: Awaited<ReturnType<Technician["get"]>> = await ada.get(next);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(2_000_000);
    pages.push(answer.json<Target[]>().map(({ id }) => id));
    next = answer.headers.get("Link")?.match(/<http:\/\/[^/]+([^>]+)>; rel="next"/)?.[1];
  }
  expect([pages.flat(), pages.length]).toEqual([made, 2]);
});

test("fields that are left out are empty, and a name may have 200 characters", async () => {
  const ada = await app.register();
  const { title, unit, kind, methods, required } = anItem();
  const sent = { title: "😀".repeat(200), items: [{ title, unit, kind, methods, required }] };
  expect(await add(ada, sent)).toMatchObject({ ...sent, standard: "", source: "", since: null, items: [anItem()] });
});

test("a preset is copied with its figures and sources, and the copy can be changed alone", async () => {
  const ada = await app.register();
  const target = await add(ada, { preset: "iso-9712-level-2-direct-ut", title: "ignored" });
  expect(target).toMatchObject({
    ...{ title: "ISO 9712, UT, direct to Level 2", standard: "ISO 9712:2021", edition: "2021", since: null },
  });
  expect(target.items.map(({ title, required }) => [title, required])).toEqual([
    ...[
      ["UT classroom training", 18],
      ["UT experience", 180],
      ["Near vision", 1],
      ["Colour vision", 1],
    ],
  ]);
  await ada.json("PATCH", `/api/targets/${target.id}`, { items: [anItem({ unit: "days", required: 50 })] });
  expect((await add(ada, { preset: "iso-9712-level-2-direct-ut" })).items[0]?.required).toBe(18);
  expect((await listed(ada)).map(({ items }) => items[0]?.required)).toEqual([18, 50]);
});

test("a method may be in several items of a target", async () => {
  const ada = await app.register();
  const items = [anItem({ methods: ["MT", "PT"] }), anItem({ methods: ["MT"] })];
  expect((await add(ada, aTarget({ items }))).items.map(({ methods }) => methods)).toEqual([["MT", "PT"], ["MT"]]);
});

test("today is no day in the future, wherever it has already begun", async () => {
  const ada = await app.register();
  const dayAt = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
  await add(ada, aTarget({ since: dayAt(14) }));
  expect((await ada.json("POST", "/api/targets", aTarget({ since: dayAt(48) }))).status).toBe(400);
});

test("the same key and content save one target, and other content is refused", async () => {
  const ada = await app.register();
  const headers = { "Idempotency-Key": "tap" };
  const [first, again] = [await add(ada, aTarget(), headers), await add(ada, aTarget(), headers)];
  expect(again).toEqual(first);
  const other = await ada.json("POST", "/api/targets", aTarget({ title: "Other" }), headers);
  expect([other.status, other.json()]).toMatchObject([409, { code: "key_reused" }]);
  await add(await app.register(), aTarget(), headers);
  const second = { "Idempotency-Key": "second" };
  await Promise.all([add(ada, aTarget({ title: "Twice" }), second), add(ada, aTarget({ title: "Twice" }), second)]);
  expect((await listed(ada)).map(({ title, items }) => [title, items.length])).toEqual([
    ...[
      ["Twice", 1],
      ["Level II", 1],
    ],
  ]);
});

test("of a name that is twice in a JSON body the last counts, as everywhere", async () => {
  const ada = await app.register();
  const body = JSON.stringify(aTarget()).replace("{", '{"title":"First",');
  const answer = await ada.send("POST", "/api/targets", { body, headers: { "Content-Type": "application/json" } });
  expect(answer.json()).toMatchObject({ title: "Level II" });
});

test("a technician has at most 20 targets, also when they are sent at once", async () => {
  const ada = await app.register();
  const answers = await Promise.all(Array.from({ length: 23 }, () => ada.json("POST", "/api/targets", aTarget())));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(3).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.json()).toEqual({
    code: "account_full",
    message: "You have 20 targets, which is the most. Delete one first.",
  });
  expect(await count(app.db, "targets", "user_id = ?", ada.user.id)).toBe(20);
  expect(
    await count(app.db, "target_items", "target_id IN (SELECT id FROM targets WHERE user_id = ?)", ada.user.id),
  ).toBe(20);
});

test("a change keeps what was not sent; sent items replace all of them", async () => {
  const ada = await app.register();
  const { id } = await add(ada, aTarget({ items: [anItem(), anItem({ title: "MT", methods: ["MT"] })] }));
  const patch = async (body: unknown) => (await ada.json("PATCH", `/api/targets/${id}`, body)).json<Target>();
  expect(await patch({ title: "Renamed", since: null })).toMatchObject({
    title: "Renamed",
    since: null,
    standard: "SNT-TC-1A",
  });
  expect((await patch({ items: [anItem({ title: "PT", methods: ["PT"], required: 70 })] })).items).toEqual([
    anItem({ title: "PT", methods: ["PT"], required: 70 }),
  ]);
  expect(await patch({ preset: "irata-level-2" })).toMatchObject({ title: "Renamed" });
  expect((await listed(ada))[0]).toMatchObject({ id, title: "Renamed", items: [{ title: "PT" }] });
});

test("another technician's target is not found, and stays as it was", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const target = await add(ada, aTarget());
  for (const method of ["PATCH", "DELETE"]) {
    const answer = await bob.json(method, `/api/targets/${target.id}`, { title: "Mine" });
    expect([answer.status, answer.json()]).toEqual([
      404,
      { code: "not_found", message: "There is no such target in your list." },
    ]);
  }
  expect([await listed(ada), await listed(bob)]).toEqual([[target], []]);
});

test("a target is deleted with its items, and so are all of a deleted account", async () => {
  const ada = await app.register();
  const [{ id }] = [await add(ada, aTarget()), await add(ada, aTarget())];
  expect((await ada.json("DELETE", `/api/targets/${id}`)).json()).toEqual({ message: "Target deleted" });
  expect(await listed(ada)).toHaveLength(1);
  await app.db.prepare("DELETE FROM users WHERE id = ?").bind(ada.user.id).run();
  const left = await rows(
    app.db,
    "SELECT 1 FROM targets WHERE user_id = ? UNION ALL SELECT 2 FROM target_items WHERE target_id = ?",
    ada.user.id,
    id,
  );
  expect(left).toEqual([]);
});

/** The records of a technician, from the calls that list them. */
async function recordsOf(technician: Technician): Promise<LoggedRecord[]> {
  type Listed = Omit<LoggedRecord, "kind" | "level"> & { details: { workedAs?: string } };
  const entries = (await technician.get("/api/entries")).json<Listed[]>();
  type Period = Pick<LoggedRecord, "hours" | "status" | "method" | "level"> & {
    startDate: string;
    details: { purpose?: string };
  };
  const ropeHours = (await technician.get("/api/rope-hours")).json<Period[]>();
  const training = (await technician.get("/api/training")).json<Period[]>();
  return [
    ...entries.map((entry) => ({ ...entry, kind: "entry" as const, level: entry.details.workedAs ?? null })),
    ...training.map(({ startDate, method, level, hours, status }) => ({
      ...{ kind: "training" as const, date: startDate, method, level: level ?? null, hours, status },
      broughtForward: false,
    })),
    ...ropeHours.map(({ startDate, hours, status, details }) => ({
      purpose: details.purpose ?? null,
      kind: "rope_hour" as const,
      date: startDate,
      method: null,
      hours,
      status,
      broughtForward: false,
    })),
  ];
}

test("the call of 10 random logs gives what a count over the JSON of their records gives, in one round trip", async () => {
  const today = new Date().toISOString().slice(0, 10);
  await app.setClock(new Date(`${today}T12:00:00Z`)); // at night it is another day in the technician's time zone
  for (let seed = 1; seed <= 10; seed += 1) {
    const ada = await app.register();
    await app.db.batch(storeLog(app.db, ada.user.id, randomLog(seed, today)));
    const answer = await ada.get("/api/progress");
    expect(answer.trips).toBe(1);
    const records = await recordsOf(ada);
    const certificates = (await ada.get("/api/certificates"))
      .json<LoggedCertificate[]>()
      .reverse() // the newest comes first
      .map((one) => ({ ...one, score: one.score === null ? null : Math.round(one.score * 100) }));
    const targets = (await ada.get("/api/targets")).json<(RandomTarget & { id: number; title: string })[]>();
    const countedItems = (since: string | null, items: TargetItem[]) =>
      items.map((item) => ({
        item,
        counted:
          item.kind === "certificate"
            ? countCertificates(item, items, certificates, today)
            : countProgress(item, since, records, today),
      }));
    const counted = targets.map(({ id, title, since, items: shown }) => {
      const all = countedItems(
        since,
        shown.map((item) => ({ ...item, required: Math.round(item.required * 100) })),
      );
      const items = all.map(({ item, counted }) => {
        const { verified, waiting, requested, remaining, estimate, endsOn, notCounted } = counted;
        return {
          title: item.title,
          unit: item.unit,
          required: item.required / 100,
          estimate,
          endsOn,
          verified: verified / 100,
          waiting: waiting / 100,
          requested: requested / 100,
          pending: (waiting - requested) / 100,
          remaining: remaining / 100,
          notCounted: notCounted.map(({ reason, records, hundredths }) => ({
            reason,
            records,
            hours: hundredths / 100,
          })),
        };
      });
      return { target: { id, title }, parts: countParts(all, today), items };
    });
    expect([seed, answer.json()]).toEqual([seed, counted]);
  }
});
