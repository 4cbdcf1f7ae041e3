import { expect, test } from "vitest";
import { FEW_SEEDS, race } from "#tests/safe/race.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, textOf, textsOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aSupervisor, type Entry, formFields, type Supervisor, type Technician } from "#tests/worker/people.ts";

const app = await startMailApp();

async function supervisorsOf(who: Technician): Promise<Supervisor[]> {
  return (await who.get("/api/supervisors")).json<Supervisor[]>();
}

/** The text of the first email to an address. Notices of other tests' verifications go out at any time. */
function mailTo(address: string): string | undefined {
  return app.mailChannels.delivered.find(({ to }) => to === address)?.text;
}

/** A request whose email is still queued, because the mail service fails. */
async function withWaitingMail() {
  const ada = await app.register();
  const [entry, supervisor] = [await ada.addEntry(), await ada.addSupervisor({ email: "first@example.org" })];
  app.mailChannels.reset();
  app.mailChannels.behave(() => ({ status: 503 }));
  const token = await ada.requestVerification(entry.id, supervisor.id);
  await app.settled(ada);
  app.mailChannels.reset();
  return { ada, entry, supervisor, token };
}

test("a change updates the sent fields and leaves the others", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const path = `/api/supervisors/${supervisor.id}`;
  const answer = await ada.json("PATCH", path, { email: " New@Example.ORG ", phone: "1", id: 7, userId: 7 });
  expect([answer.status, answer.json()]).toEqual([200, { ...supervisor, email: "new@example.org", phone: "1" }]);
  expect((await ada.json("PATCH", path, {})).json()).toEqual(answer.json());
  expect(await supervisorsOf(ada)).toEqual([answer.json()]);
  const both = [{ phone: "2" }, { company: "Other AS" }].map((body) => ada.json("PATCH", path, body));
  await Promise.all(both);
  expect(await supervisorsOf(ada)).toMatchObject([{ phone: "2", company: "Other AS" }]);
});

// Seen: 500, because each change was checked against what the other one took away.
test("one of two changes at once that together leave too little is refused", async () => {
  for (const seed of FEW_SEEDS) {
    const ada = await app.register();
    const { id } = await ada.addSupervisor({ role: "Instructor" });
    const answers = await race(2, seed, (number, headers) =>
      ada.json("PATCH", `/api/supervisors/${id}`, number ? { role: null } : { phone: null }, headers),
    );
    expect([seed, answers.map(({ status }) => status).sort()]).toEqual([seed, [200, 400]]);
  }
});

test("the technician's own address is refused in a change as in a new supervisor, also on the page", async () => {
  const ada = await app.register();
  const supervisor = await ada.addSupervisor();
  const email = ada.user.email.toUpperCase();
  const answer = await ada.json("PATCH", `/api/supervisors/${supervisor.id}`, { email });
  const message = "This is your own email address. Someone else must verify your hours.";
  expect([answer.status, answer.json()]).toEqual([
    400,
    { code: "own_mailbox", message, errors: [{ path: "email", message }] },
  ]);
  const path = `/supervisors/${supervisor.id}`;
  const page = await ada.submit(await ada.get(path), path, { email });
  expect([page.status, messageOf(page.text, "email")]).toEqual([400, message]);
  expect(await supervisorsOf(ada)).toEqual([supervisor]);
});

test("the page lists the user's own supervisors, links to each, changes it, and deletes it after confirmation", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  await bob.addSupervisor({ name: "Bob's" });
  expect(textOf((await ada.get("/supervisors")).text)).toContain("No supervisors yet.");
  const ola = aSupervisor({ name: "<Ola>" });
  const { id } = await ada.addSupervisor(ola);
  const list = await ada.get("/supervisors");
  expect(list.text).toContain(`<a class="main-link" href="/supervisors/${id}">&lt;Ola&gt;</a>`);
  expect(textOf(list.text)).not.toContain("Bob");

  const path = `/supervisors/${id}`;
  const form = await ada.get(path);
  expect(Object.fromEntries(formIn(form.text, path).fields)).toEqual({ ...ola, role: "" });
  const labels = ["Name", "Email", "Phone", "Certification Level", "Company", "Role (Optional)"];
  expect(textsOf(form.text, "label")).toEqual(labels);
  const wrong = await ada.submit(form, path, { phone: " ", company: "Kept" });
  expect([wrong.status, messageOf(wrong.text, "phone")]).toEqual([400, "Phone is required"]);
  expect(formIn(wrong.text, path).fields.get("company")).toBe("Kept");
  const saved = await ada.submit(wrong, path, { phone: "7" });
  expect([saved.status, saved.location]).toEqual([303, "/supervisors"]);
  expect(textsOf((await ada.follow(saved)).text, "div", 'role="status"')).toEqual(["Supervisor saved"]);
  expect(await supervisorsOf(ada)).toMatchObject([{ phone: "7", company: "Kept" }]);

  const question = await ada.get(`${path}/delete`);
  expect(textOf(question.text)).toContain("Records that they have verified keep their name.");
  const deleted = await ada.submit(question, `${path}/delete`, {});
  expect(textsOf((await ada.follow(deleted)).text, "div", 'role="status"')).toEqual(["Supervisor deleted"]);
  expect(await supervisorsOf(ada)).toEqual([]);
  for (const gone of [path, `${path}/delete`]) {
    expect([(await ada.get(gone)).status, (await ada.post(gone, aSupervisor())).status]).toEqual([404, 404]);
  }
});

test("the page adds a supervisor, once for each copy of its form, and keeps what was typed beside an error", async () => {
  const ada = await app.register();
  const page = await ada.get("/supervisors");
  const path = "/supervisors/new";
  const ola = aSupervisor({ email: "ola@fjord.example" });
  const wrong = await ada.submit(page, path, { ...ola, email: "ola" });
  expect([wrong.status, messageOf(wrong.text, "email")]).toEqual([400, "Invalid email address"]);
  expect(formIn(wrong.text, path).fields.get("company")).toBe(ola.company);
  for (const _ of ["first", "the same form again"]) {
    const added = await ada.submit(wrong, path, ola);
    expect([added.status, added.location]).toEqual([303, "/supervisors"]);
    expect(textsOf((await ada.follow(added)).text, "div", 'role="status"')).toEqual(["Supervisor added"]);
  }
  expect(await supervisorsOf(ada)).toMatchObject([ola]);
});

test("a supervisor is in the list once: their mailbox in any spelling is refused, and the message names who has it", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const [{ id }, entry] = [await ada.addSupervisor({ email: "o.la@gmail.com" }), await ada.addEntry()];
  const other = await ada.addSupervisor();
  const message = "Ola Hansen (o.la@gmail.com) is already in your list. Choose or change that supervisor instead.";
  const again = aSupervisor({ name: "O. Hansen", email: "OLA+work@googlemail.com" });
  const calls = [
    await ada.json("POST", "/api/supervisors", again),
    await ada.json("PATCH", `/api/supervisors/${other.id}`, { email: again.email }),
  ];
  for (const call of calls) {
    expect([call.status, call.json()]).toEqual([
      409,
      { code: "supervisor_exists", message, errors: [{ path: "email", message }] },
    ]);
  }
  const form = { supervisor: "new", ...formFields(again) };
  const pages = [
    await ada.post(`/supervisors/new/${crypto.randomUUID()}`, formFields(again)),
    await ada.post(`/supervisors/${other.id}`, formFields(again)),
    await ada.post(`/profile/request/${entry.id}/${crypto.randomUUID()}`, form),
    await ada.post(`/requests/new/${crypto.randomUUID()}`, { ...form, "records[0].key": `entry:${entry.id}` }),
  ];
  for (const page of pages) expect([page.status, messageOf(page.text, "email")]).toEqual([409, message]);
  expect((await supervisorsOf(ada)).map(({ email }) => email)).toEqual([other.email, "o.la@gmail.com"]);
  expect((await ada.get("/api/verification-requests")).json()).toEqual([]);
  expect((await ada.json("PATCH", `/api/supervisors/${id}`, { email: "ola@gmail.com" })).status).toBe(200);
  expect((await bob.json("POST", "/api/supervisors", again)).status).toBe(201);
  await ada.json("DELETE", `/api/supervisors/${id}`);
  expect((await ada.json("POST", "/api/supervisors", again)).status).toBe(201);
});

test("one of several calls at once that add one mailbox, or change to it, wins", async () => {
  const ada = await app.register();
  const others = await Promise.all([1, 2, 3].map(() => ada.addSupervisor()));
  const answers = await Promise.all([
    ...[1, 2, 3].map((n) => ada.json("POST", "/api/supervisors", aSupervisor({ email: `ola+${n}@fjord.example` }))),
    ...others.map(({ id }) => ada.json("PATCH", `/api/supervisors/${id}`, { email: `ola+${id}@fjord.example` })),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
});

test("the picker of the request dialog links to the page if there are supervisors", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  expect((await ada.get(`/profile?request=${id}`)).text).not.toContain("Manage supervisors");
  await ada.addSupervisor();
  expect((await ada.get(`/profile?request=${id}`)).text).toContain('<a href="/supervisors">Manage supervisors</a>');
});

test("deleting a supervisor again is answered 404", async () => {
  const ada = await app.register();
  const { id } = await ada.addSupervisor();
  const answers = await Promise.all(Array.from({ length: 5 }, () => ada.json("DELETE", `/api/supervisors/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

test("a record verified by a supervisor who was deleted or renamed keeps the old name", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  const [supervisor] = await supervisorsOf(ada);
  await ada.json("PATCH", `/api/supervisors/${supervisor?.id}`, { name: "Renamed" });
  await ada.json("DELETE", `/api/supervisors/${supervisor?.id}`);
  expect((await ada.get("/api/entries")).json<Entry[]>()).toMatchObject([entry]);
  expect(textOf((await ada.get("/profile")).text)).toContain("Verified by Ola Hansen");
});

test("the link of a deleted supervisor still works, until the request is withdrawn", async () => {
  const ada = await app.register();
  const [entry, supervisor] = [await ada.addEntry(), await ada.addSupervisor()];
  const token = await ada.requestVerification(entry.id, supervisor.id);
  await ada.json("DELETE", `/api/supervisors/${supervisor.id}`);
  const answer = await app.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
  expect([answer.status, answer.json<{ entry: Entry }>().entry.verifiedBy]).toEqual([200, "Ola Hansen"]);
});

// A request keeps its supervisor as asked. Catches an email that is composed with the supervisor as they are saved now.
test("a queued email to a supervisor who was deleted since is sent, and the dialog names them", async () => {
  const { ada, entry, supervisor, token } = await withWaitingMail();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["waiting"]);
  await ada.json("DELETE", `/api/supervisors/${supervisor.id}`);
  await app.sweep();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["sent"]);
  const emails = app.mailChannels.delivered.map(({ to }) => to).filter((to) => !to.startsWith("ola-"));
  expect(emails).toEqual(["first@example.org"]); // the others are notices of other tests' verifications
  expect(mailTo("first@example.org")).toContain(`/verify/${token}`);
  const dialog = await ada.get(`/profile?request=${entry.id}&link=1`);
  expect(textOf(dialog.text)).toContain(`It went to ${supervisor.name} (first@example.org).`);
});

test("a queued email is sent to the address and name that were asked, also if the supervisor is changed since", async () => {
  const { ada, supervisor } = await withWaitingMail();
  const changed = { email: "second@example.org", name: "Somebody Else" };
  await ada.json("PATCH", `/api/supervisors/${supervisor.id}`, changed);
  await app.sweep();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["sent"]);
  const emails = app.mailChannels.delivered.map(({ to }) => to).filter((to) => !to.startsWith("ola-"));
  expect(emails).toEqual(["first@example.org"]); // the others are notices of other tests' verifications
  expect(mailTo("first@example.org")).toContain(`Hello ${supervisor.name}`);
});

test("asking a supervisor again whose address was changed cancels the queued email to the former one", async () => {
  const { ada, entry, supervisor, token } = await withWaitingMail();
  await ada.json("PATCH", `/api/supervisors/${supervisor.id}`, { email: "second@example.org" });
  expect(await ada.requestVerification(entry.id, supervisor.id)).toBe(token);
  await app.settled(ada);
  await app.sweep();
  expect((await app.messages(ada)).map(({ state }) => state)).toEqual(["cancelled", "sent"]);
  expect(app.mailChannels.delivered.map(({ to }) => to)).toEqual(["second@example.org"]);
});

/*
 * A record is edited while its email is queued, and another supervisor gets a request. Detects a message that only
 * looks up the link when it is sent: the first supervisor would get the second one's link.
 */
test("an email about a request that an edit has ended is not sent, even if another supervisor was asked since", async () => {
  const { ada, entry, supervisor } = await withWaitingMail();
  await ada.json("PATCH", `/api/entries/${entry.id}`, { hours: 8 });
  const other = await ada.addSupervisor({ email: "other@example.org" });
  await ada.requestVerification(entry.id, other.id);
  await app.settled(ada);
  await app.sweep();
  expect(app.mailChannels.delivered.map(({ to }) => to)).toEqual(["other@example.org"]);
  // The same supervisor, asked again, gets one email, with the new link.
  await ada.requestVerification(entry.id, supervisor.id);
  await app.settled(ada);
  expect(app.mailChannels.delivered.map(({ to }) => to)).toEqual(["other@example.org", "first@example.org"]);
  const states = await rows(app.db, "SELECT state FROM outbox WHERE user_id = ? ORDER BY id", ada.user.id);
  expect(states.map(({ state }) => state)).toEqual(["cancelled", "sent", "sent"]);
});

test("an email about a deleted record is not sent, even if the record is restored", async () => {
  const { ada, entry } = await withWaitingMail();
  await ada.json("DELETE", `/api/entries/${entry.id}`);
  await ada.json("POST", `/api/entries/${entry.id}/restore`);
  await ada.requestVerification(entry.id, (await ada.addSupervisor({ email: "other@example.org" })).id);
  await app.settled(ada);
  await app.sweep();
  expect(app.mailChannels.delivered.map(({ to }) => to)).toEqual(["other@example.org"]);
});
