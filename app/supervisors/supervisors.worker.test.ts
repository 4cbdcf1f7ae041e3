import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn, textsOf } from "#tests/worker/html.ts";
import { aSupervisor, aTraining, type Supervisor } from "#tests/worker/people.ts";

const app = await startApp();

test("a technician's supervisors are listed to them only, newest first", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  await ada.addSupervisor({ name: "First" });
  await ada.addSupervisor({ name: "Second" });
  await bob.addSupervisor({ name: "Bob's" });
  const names = async (who: typeof ada) =>
    (await who.get("/api/supervisors")).json<Supervisor[]>().map(({ name }) => name);
  expect(await names(ada)).toEqual(["Second", "First"]);
  expect(await names(bob)).toEqual(["Bob's"]);
});

test("a supervisor is stored trimmed, with the e-mail address in lower case", async () => {
  const ada = await app.register();
  const sent = aSupervisor({
    name: " Ola 👷 Hansen ",
    email: " Ola@Example.ORG ",
    phone: " +47 1 ",
    company: " Å AS ",
  });
  const supervisor = (await ada.json("POST", "/api/supervisors", sent)).json<Supervisor>();
  expect(supervisor).toEqual({
    id: supervisor.id,
    name: "Ola 👷 Hansen",
    email: "ola@example.org",
    phone: "+47 1",
    certificationLevel: "Level III",
    company: "Å AS",
    role: null,
  });
  const [stored] = await rows(app.db, "SELECT * FROM supervisors WHERE id = ?", supervisor.id);
  expect(stored).toMatchObject({ user_id: ada.user.id, name: "Ola 👷 Hansen", email: "ola@example.org" });
});

test("every field is required, has at most 200 characters, and is named in its error", async () => {
  const ada = await app.register();
  const answer = await ada.json("POST", "/api/supervisors", {});
  expect(answer.json<{ errors: unknown }>().errors).toEqual([
    { path: "name", message: "Name is required" },
    { path: "email", message: "Invalid email address" },
    { path: "phone", message: "Phone is required" },
    { path: "certificationLevel", message: "Choose Level I, Level II or Level III" },
    { path: "company", message: "Company is required" },
  ]);
  for (const field of ["name", "phone", "company"]) {
    for (const value of ["\u200b", "x".repeat(201), 7, null]) {
      const answer = await ada.json("POST", "/api/supervisors", aSupervisor({ [field]: value }));
      const paths = answer.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path);
      expect([field, value, answer.status, paths]).toEqual([field, value, 400, [field]]);
    }
  }
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(0);
});

test("with a role the other fields may be left out, and then the supervisor is not asked about hours", async () => {
  const ada = await app.register();
  const others = { phone: null, certificationLevel: "", company: undefined };
  const made = await ada.json("POST", "/api/supervisors", aSupervisor({ ...others, role: " Instructor " }));
  expect([made.status, made.json()]).toMatchObject([
    201,
    { role: "Instructor", phone: null, certificationLevel: null, company: null },
  ]);
  const { id: supervisorId } = made.json<{ id: number }>();
  const page = (await ada.get("/supervisors")).text;
  expect(page).toContain("Instructor");
  const without = await ada.json("PATCH", `/api/supervisors/${supervisorId}`, { role: null });
  expect(without.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path)).toEqual([
    ...["phone", "certificationLevel", "company"],
  ]);
  const [entry, { id: training }] = [
    await ada.addEntry(),
    (await ada.json("POST", "/api/training", aTraining())).json<{ id: number }>(),
  ];
  const lacks = "Ola Hansen cannot verify hours yet. Under Supervisors, add: phone, certification level, company.";
  const refused = await ada.json("POST", `/api/verify-request/${entry.id}`, { supervisorId });
  expect([refused.status, refused.json()]).toMatchObject([
    400,
    { message: lacks, errors: [{ path: "supervisorId", message: lacks }] },
  ]);
  const both = [
    { type: "training", id: training },
    { type: "entry", id: entry.id },
  ];
  expect((await ada.json("POST", "/api/verification-requests", { supervisorId, records: both })).status).toBe(400);
  const asked = await ada.json("POST", "/api/verification-requests", { supervisorId, records: both.slice(0, 1) });
  expect([asked.status, asked.json()]).toMatchObject([201, { supervisor: { name: "Ola Hansen" } }]);
  // In the dialog of hours the message is beside the chosen supervisor.
  const dialog = await ada.get(`/profile?request=${entry.id}`);
  const { action } = formIn(dialog.text, "/profile/request");
  const answer = await ada.post(action, { supervisor: String(supervisorId) });
  expect([answer.status, textsOf(answer.text, "p", 'class="wrong"')]).toEqual([400, [lacks]]);
});

test("technicians cannot be their own supervisor: their own address, in any spelling, is a 400 on email", async () => {
  const ada = await app.register();
  for (const email of [ada.user.email, ` ${ada.user.email.toUpperCase()} `]) {
    const answer = await ada.json("POST", "/api/supervisors", aSupervisor({ email }));
    expect([answer.status, answer.json<{ errors: { path: string }[] }>().errors]).toMatchObject([
      400,
      [{ path: "email" }],
    ]);
  }
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(0);
});

test("unknown fields of a body are ignored: a supervisor belongs to the technician who saved it", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addSupervisor({ id: 999_999, userId: bob.user.id, submission: "x" });
  expect(id).not.toBe(999_999);
  expect(await rows(app.db, "SELECT user_id, submission FROM supervisors WHERE id = ?", id)).toEqual([
    { user_id: ada.user.id, submission: null },
  ]);
});
