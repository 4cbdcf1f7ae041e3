import { beforeEach, expect, test } from "vitest";
import { count, rows } from "#tests/worker/database.ts";
import { formIn, tagsOf, textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * The answers of the named supervisor about each record of a notice: they confirm what came by a link, and disown what
 * they did not verify. Catches a confirmation by someone without the mailbox, one that outlives a disowning, and an
 * answer about records of another notice.
 */

const app = await startMailApp({ SIGNING_KEY: "" });
const { mailChannels } = app;

beforeEach(() => mailChannels.reset());

interface Stored {
  id: number;
  verifiedVia: string | null;
  confirmedAt: string | null;
  status: string;
}

/**
 * A technician with records that were verified, by the link unless `m` is kept, and the notice to the requested
 * address.
 */
async function verified(records: number, keepsSecret = false, stated: object = {}) {
  const ada = await app.register({ name: "Kari Nordmann" });
  const entries = await ada.addEntries(records);
  const email = freshEmail().replace("@example.org", "@fjord.example");
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  const list = entries.map(({ id }) => ({ type: "entry", id }));
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records: list });
  const { verificationToken } = asked.json<{ verificationToken: string }>();
  await app.idle();
  const m = mailChannels.delivered.find(({ to }) => to === email)?.text.match(/\?m=(\S+)/)?.[1];
  await app.json("POST", `/api/verify/${verificationToken}${keepsSecret ? `?m=${m}` : ""}`, {
    supervisorName: "Ola H.",
    ...stated,
  });
  await app.idle();
  await app.tick(new Date());
  await app.idle();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  const pathTo = (use: string) => notice?.text.match(new RegExp(`hours\\.example\\.com(/${use}/\\S+)`))?.[1] ?? "";
  const stored = async () => (await ada.get("/api/entries")).json<Stored[]>().sort((one, other) => one.id - other.id);
  return { ada, list, notice, confirmPath: pathTo("confirm"), disownPath: pathTo("disown"), stored };
}

const TODAY = new Date().toISOString().slice(0, 10);
const ASKED = "asked: Ola Hansen";
const NOT_STATED = "level not stated; ground not stated";
const SAID = /link, confirmed from fjord\.example on \d+ \w+ \d+/;

test("the mail alone has the link to confirm; the page asks first, and the record then says who confirmed it and when", async () => {
  const { ada, list, notice, confirmPath, stored } = await verified(1);
  expect(notice?.text).toContain(`Yes, I verified these:\nhttp://hours.example.com${confirmPath}`);
  expect(notice?.text).toContain("This was not me:");
  const [before] = await stored();
  expect(before).toMatchObject({ verifiedVia: "link", confirmedAt: null, status: "verified" });

  const opened = await app.get(confirmPath);
  expect([opened.status, opened.trips, tagsOf(opened.text, "script")]).toEqual([200, 1, []]);
  expect(textOf(opened.text)).toContain("Did you verify these?");
  expect((await stored())[0]?.confirmedAt).toBeNull();
  const page = await app.get(confirmPath);
  const answer = await app.submit(page, confirmPath, {}, "Yes, I verified this");
  expect([answer.status, answer.location, answer.trips]).toEqual([303, confirmPath, 2]);
  expect(textOf((await app.get(confirmPath)).text)).toContain("1 record is confirmed. Thank you.");

  const [after] = await stored();
  expect(after).toEqual({ ...before, confirmedAt: expect.stringMatching(`^${TODAY}`) });
  const id = list[0]?.id;
  expect(textOf((await ada.get(`/profile/record/${id}`)).text)).toMatch(SAID);
  const history = (await ada.get(`/api/entries/${id}/verification`)).json<{
    log: { event: string; at: string; supervisorHash: string | null }[];
    intact: boolean;
  }>();
  expect([history.log.at(-1), history.intact]).toMatchObject([
    { event: "confirmed", at: after?.confirmedAt, supervisorHash: expect.any(String) },
    true,
  ]);
  // Sent again it changes nothing.
  expect((await app.json("POST", `/api${confirmPath}`, {})).json()).toMatchObject({ confirmed: 0 });
  expect(await count(app.db, "verification_log", "record_id = ? AND event = 'confirmed'", id ?? 0)).toBe(1);
});

test("a form made before shows as unchanged and confirmed since; one made after prints it", async () => {
  const { ada, confirmPath } = await verified(2);
  const exported = async () =>
    (await ada.json("POST", "/api/exports", { form: "ojt" }, { "Idempotency-Key": crypto.randomUUID() })).json<{
      code: string;
      form: { rows: { stated: string; notes: string[] }[] };
    }>();
  const before = await exported();
  expect((await app.json("POST", `/api${confirmPath}`, {})).json()).toMatchObject({ confirmed: 2 });
  const after = await exported();
  expect([before, after].map(({ form }) => form.rows.map(({ stated, notes }) => [stated, ...notes]))).toEqual([
    Array(2).fill([NOT_STATED, ASKED]),
    Array(2).fill([NOT_STATED, expect.stringMatching(SAID), ASKED]),
  ]);
  for (const [form, confirmedOn] of [
    [before, undefined],
    [after, TODAY],
  ] as const) {
    const check = (await app.get(`/api/check/${form.code}`)).json<{ states: object; records: object[] }>();
    expect(check.states).toEqual({ unchanged: 2, changed: 0, disowned: 0, deleted: 0 });
    expect(check.records[0]).toMatchObject({
      via: "link",
      confirmedFrom: "fjord.example",
      confirmedAt: expect.stringMatching(`^${TODAY}`),
      ...(confirmedOn && { confirmedOn, domain: "fjord.example" }),
    });
    const page = textOf((await app.get(`/c/${form.code}`)).text);
    expect(page).toMatch(SAID);
    expect(page).toContain("Every record is unchanged");
  }
  expect(textOf((await ada.get("/profile/print")).text)).toMatch(/link, confirmed from fjord\.example on/);
});

test("single records are confirmed and disowned by their boxes, which are all checked; none is an error", async () => {
  const { list, confirmPath, disownPath, stored } = await verified(3);
  const page = await app.get(confirmPath);
  const boxes = [...formIn(page.text, confirmPath).fields].filter(([name]) => name.startsWith("records"));
  expect(boxes.map(([, key]) => key).sort()).toEqual(list.map(({ id }) => `entry:${id}`));
  for (const path of [confirmPath, disownPath]) {
    const none = await app.post(path, {});
    expect([none.status, textOf(none.text)]).toEqual([400, expect.stringContaining("Choose at least one record")]);
    expect(none.headers.get("Cache-Control")).toBe("private, no-cache");
  }
  const [one, two, three] = list.map(({ id }) => id);
  await app.post(confirmPath, { "records[0].key": `entry:${one}`, "records[2].key": `entry:${two}` });
  expect((await stored()).map(({ confirmedAt }) => confirmedAt !== null)).toEqual([true, true, false]);
  // Disowning clears the confirmation.
  await app.post(disownPath, { "records[1].key": `entry:${two}`, "records[2].key": `entry:${three}`, reason: "" });
  expect((await stored()).map(({ status, confirmedAt }) => [status, confirmedAt !== null])).toEqual([
    ["verified", true],
    ["pending", false],
    ["pending", false],
  ]);
  const rest = textOf((await app.get(disownPath)).text);
  expect(rest).toContain("2 records are no longer verified. We have told the technician. 1 record was verified");
  const log = await rows(app.db, "SELECT event FROM verification_log WHERE record_id = ? ORDER BY number", two ?? 0);
  expect(log.map(({ event }) => event)).toEqual(["requested", "verified", "confirmed", "disowned"]);
  expect((await app.json("POST", `/api${disownPath}`, {})).json()).toMatchObject({ disowned: 1 });
});

test("records that are not in the link are 400, a wrong link is 404, and nothing changes", async () => {
  const other = await verified(1);
  const { list, confirmPath, disownPath, stored } = await verified(2);
  for (const path of [confirmPath, disownPath]) {
    for (const record of [...other.list, { type: "rope_hour", id: list[0]?.id }]) {
      const records = [...list.slice(0, 1), record];
      const answer = await app.json("POST", `/api${path}`, { records });
      expect([answer.status, answer.json().message]).toEqual([
        ...[400, "A record is not among those of this link. Nothing was changed."],
      ]);
    }
  }
  // Each link is good for its own purpose.
  const crossed = confirmPath.replace("/confirm/", "/disown/");
  for (const wrong of [crossed, disownPath.replace("/disown/", "/confirm/"), confirmPath.slice(0, -1), "/confirm/1"]) {
    expect([wrong, (await app.get(wrong)).status]).toEqual([wrong, 404]);
    expect([wrong, (await app.json("POST", `/api${wrong}`, {})).status]).toEqual([wrong, 404]);
  }
  expect(await stored()).toMatchObject(Array(2).fill({ status: "verified", confirmedAt: null }));
});

test("a verification from the mailbox needs no confirmation: its receipt has no link for it", async () => {
  const { notice, confirmPath, disownPath, stored } = await verified(1, true);
  expect([confirmPath, notice?.text.includes("This was not me:")]).toEqual(["", true]);
  expect(await stored()).toMatchObject([{ verifiedVia: "mailbox", confirmedAt: null }]);
  expect((await app.json("POST", `/api${disownPath}`, {})).json()).toMatchObject({ disowned: 1 });
});

test("after 20 concurrent confirmations and disownings a record has one outcome, and its log is whole", async () => {
  const { ada, list, confirmPath, disownPath, stored } = await verified(1);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => app.json("POST", `/api${n % 2 ? confirmPath : disownPath}`, {})),
  );
  expect(await stored()).toMatchObject([{ status: "pending", confirmedAt: null }]);
  const id = list[0]?.id ?? 0;
  expect(await count(app.db, "verification_log", "record_id = ? AND event = 'disowned'", id)).toBe(1);
  expect((await ada.get(`/api/entries/${id}/verification`)).json<{ intact: boolean }>().intact).toBe(true);
});

// Catches a technician who confirms, or frees, own hours with the link of a notice that was forwarded to them.
test("the technician can only read a notice about own hours, also with another account of the same mailbox", async () => {
  const { ada, list, confirmPath, disownPath, stored } = await verified(2);
  const other = await app.register({ email: ada.user.email.replace("@", "+2@") });
  const before = await stored();
  for (const client of [ada, other]) {
    for (const path of [confirmPath, disownPath]) {
      const page = await client.get(path);
      expect([page.status, page.text.includes("<form method")]).toEqual([200, false]);
      expect(textOf(page.text)).toContain("These are your own hours");
      for (const body of [{}, { records: list.slice(0, 1) }]) {
        const answer = await client.json("POST", `/api${path}`, body);
        expect([path, answer.status, answer.json().code]).toEqual([path, 403, "own_hours"]);
      }
      expect((await client.post(path, { whole: "1" })).status).toBe(403);
    }
  }
  expect(await stored()).toEqual(before);
  expect(textOf((await app.get(confirmPath)).text)).not.toContain("These are your own hours");
});

test("the log notes the account of who confirms and disowns, and the browser where the technician is signed in", async () => {
  const { ada, list, confirmPath, disownPath } = await verified(1);
  const supervisor = await app.register({ name: "Ola Hansen" });
  await app.db.prepare("UPDATE sessions SET browser = 'Seen/1' WHERE user_id = ?").bind(ada.user.id).run();
  const from = { "User-Agent": "Seen/1" };
  expect((await supervisor.json("POST", `/api${confirmPath}`, {}, from)).json()).toMatchObject({ confirmed: 1 });
  await app.db.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?").bind(Date.now(), ada.user.id).run();
  expect((await app.json("POST", `/api${disownPath}`, {}, from)).json()).toMatchObject({ disowned: 1 });
  await ada.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD });
  const { log } = (await ada.get(`/api/entries/${list[0]?.id}/verification`)).json<{
    log: { accountId: number | null; sameBrowser: boolean | null }[];
  }>();
  expect(log.slice(-2).map(({ accountId, sameBrowser }) => [accountId, sameBrowser])).toEqual([
    [supervisor.user.id, true],
    [null, null],
  ]);
});

// Catches a notice whose records are all read, shown and answered at once: 5,000 held the thread for six seconds.
test("a long notice has pages, and all of it or what is chosen on a page is answered", async () => {
  const ada = await app.register({ name: "Kari Nordmann" });
  const email = freshEmail();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email });
  for (let part = 0; part < 3; part += 1) {
    const list = (await ada.addEntries(100)).map(({ id }) => ({ type: "entry", id }));
    const asked = await ada.json("POST", "/api/verification-requests", { supervisorId: supervisor.id, records: list });
    const { verificationToken } = asked.json<{ verificationToken: string }>();
    await app.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola H." });
  }
  await app.idle();
  await app.tick(new Date());
  await app.idle();
  const notice = mailChannels.delivered.find(({ to, subject }) => to === email && subject.includes("in your name"));
  expect(notice?.subject).toBe("300 records were verified in your name");
  const pathTo = (use: string) => notice?.text.match(new RegExp(`hours\\.example\\.com(/${use}/\\S+)`))?.[1] ?? "";
  const [confirmPath, disownPath] = [pathTo("confirm"), pathTo("disown")];
  const ids = new Set<string>();
  let path = confirmPath;
  for (let page = 0; page < 3; page += 1) {
    const { text, trips } = await app.get(path);
    const boxes = [...formIn(text, confirmPath).fields].filter(([name]) => name.startsWith("records"));
    expect([boxes.length, trips]).toEqual([100, 1]);
    for (const [, key] of boxes) ids.add(key);
    expect(textOf(text)).toContain("These are 100 of 300 records, the newest first.");
    path = text.match(/href="([^"]*\?before=\d+)"/)?.[1] ?? "";
  }
  expect([ids.size, path]).toEqual([300, ""]);
  const [chosen] = [...ids].slice(-1);
  expect((await app.post(confirmPath, { "records[0].key": chosen ?? "" })).status).toBe(303);
  const lists = [];
  let next = `/api${confirmPath}?limit=150`;
  while (next) {
    const answer = await app.get(next);
    lists.push(answer.json<{ records: unknown[] }>().records.length);
    next = answer.headers.get("Link")?.match(/hours\.example\.com([^>]+)/)?.[1] ?? "";
  }
  expect(lists).toEqual([150, 149]);
  const rest = await app.submit(await app.get(confirmPath), confirmPath, {}, "Yes, I verified all 299 records");
  expect(rest.status).toBe(303);
  expect(await count(app.db, "records", "user_id = ? AND confirmed_at IS NOT NULL", ada.user.id)).toBe(300);
  expect((await app.json("POST", `/api${disownPath}`, {})).json()).toMatchObject({ disowned: 300 });
  expect(
    await count(
      app.db,
      "verification_log",
      "event = 'disowned' AND record_id IN (SELECT id FROM records WHERE user_id = ?)",
      ada.user.id,
    ),
  ).toBe(300);
  expect(textOf((await app.get(disownPath)).text)).toContain("300 records are no longer verified.");
});

test("the row of a disowned record says so in the log, until the record is verified again", async () => {
  const { ada, list, disownPath } = await verified(1);
  expect((await app.json("POST", `/api${disownPath}`, {})).status).toBe(200);
  const row = async () => textOf((await ada.get("/profile")).text);
  expect(await row()).toContain("Pending: verification withdrawn by the supervisor Request Verification");
  const token = await ada.requestVerification(list[0]?.id ?? 0);
  expect(await row()).toContain("Requested today Show link");
  await app.json("POST", `/api/verify/${token}`, { supervisorName: "Marta" });
  expect(await row()).toMatch(/Verified by Marta/);
  expect(await row()).not.toContain("withdrawn by the supervisor");
});

test("the pages to confirm and to disown show what was stated, which a confirmation states too", async () => {
  const certification = {
    scheme: "PCN",
    level: "Level III",
    number: "12345",
    methods: ["UT"],
    validUntil: "2030-01-01",
  };
  const { confirmPath, disownPath } = await verified(1, false, { certification, basis: "present" });
  const said = "Stated: PCN Level III in UT, No. 12345, valid to 1 Jan 2030; supervised on site";
  for (const path of [confirmPath, disownPath]) {
    expect(textOf((await app.get(path)).text)).toContain(said);
    expect((await app.get(`/api${path}`)).json()).toMatchObject({ records: [{ certification, basis: "present" }] });
  }
});

// Detects a link that works only as it was mailed: mail programs and people add marks behind it.
test("a mailed link works with marks behind it, to confirm, to disown, to stop emails and to open the inbox", async () => {
  const { notice, confirmPath, disownPath } = await verified(1);
  const stop = notice?.text.match(/hours\.example\.com(\/unsubscribe\/\S+)/)?.[1] ?? "";
  for (const path of [confirmPath, disownPath, stop]) {
    for (const mark of [".", ")", ",", "%3E", "%E2%80%8B", "%22", "-"]) {
      expect([path, mark, (await app.get(path + mark)).status]).toEqual([path, mark, 200]);
    }
    const cut = path.slice(0, -1);
    expect([cut, (await app.get(cut)).status]).toEqual([cut, 404]);
  }
});

test("a typed name that could pass for a mark is quoted on public pages", async () => {
  const supervisorName = "Ola Hansen on 3 Oct 2026, by mailbox (equinor.com)";
  const { confirmPath } = await verified(1, false, { supervisorName });
  expect(textOf((await app.get(confirmPath)).text)).toContain(`verified as “${supervisorName}”`);
  const [request] = await rows(app.db, "SELECT token FROM verification_requests ORDER BY id DESC LIMIT 1");
  expect(textOf((await app.get(`/success?token=${request?.token}`)).text)).toContain(
    `Verified by “${supervisorName}” on`,
  );
});
