import { expect, test } from "vitest";
import { eraseSupervisor, oneByOne } from "#app/supervisors/erase-supervisor.server.ts";
import { rows } from "#tests/worker/database.ts";
import { tagsOf, textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { aTraining, type Technician } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * The statements of a supervisor besides their name: on what ground they verify, and their certificate. They are stored
 * with the event, printed, checked, and filled in at the next answer from the same mailbox.
 */

const app = await startMailApp();

const CERTIFICATION = {
  scheme: "PCN",
  methods: ["MT", "UT 2"],
  level: "Level III",
  number: "12345",
  validUntil: "2027-01-31",
};

/** A request of a new technician to a mailbox for one record: the paths of its mailed link and of its bare one. */
async function asked(email: string, type: "entry" | "training" = "entry", name = "Ola Hansen") {
  const ada = await app.register({ name: "Kari Nordmann", email: freshEmail() });
  const id =
    type === "entry"
      ? (await ada.addEntry()).id
      : (await ada.json("POST", "/api/training", aTraining({}))).json<{ id: number }>().id;
  const { id: supervisorId } = await ada.addSupervisor({ name, email });
  await ada.json("POST", "/api/verification-requests", { supervisorId, records: [{ type, id }] });
  await app.idle();
  const text = app.mailChannels.delivered.filter(({ to }) => to === email).at(-1)?.text ?? "";
  const mailed = text.match(/http:\/\/hours\.example\.com(\/verify\/\S+)/)?.[1] ?? "";
  return { ada, id, mailed, bare: mailed.split("?")[0] ?? "" };
}

/** The fields of the page of a link as they are filled in, by name. */
async function filledIn(path: string): Promise<Record<string, string>> {
  const { text } = await app.get(path);
  const inputs = tagsOf(text, "input").filter(({ type }) => type !== "hidden" && type !== "radio");
  const chosen = tagsOf(text, "option").flatMap((option) => ("selected" in option ? [["basis", option.value]] : []));
  return Object.fromEntries([...inputs.map(({ name, value }) => [name, value ?? ""]), ...chosen]);
}

/** Returns the texts of the form and the check page of all verified records. */
async function papers(ada: Technician, form = "ojt"): Promise<string[]> {
  const { id, code } = (await ada.json("POST", "/api/exports", { form })).json<{ id: number; code: string }>();
  const print = form === "ojt" ? `/profile/print/${id}` : `/training/print/${id}`;
  return [textOf((await ada.get(print)).text), textOf((await app.get(`/c/${code}`)).text)];
}

test("ground and certificate are stored with the event, and form, check page and record say them", async () => {
  const { ada, id, mailed } = await asked(freshEmail());
  const body = { supervisorName: "Ola Hansen", certification: CERTIFICATION, basis: "remote" };
  expect((await app.json("POST", `/api${mailed}`, body)).status).toBe(200);
  const history = (await ada.get(`/api/entries/${id}/verification`)).json<{ log: object[] }>();
  expect(history.log.at(-1)).toMatchObject({ certification: CERTIFICATION, basis: "remote" });
  const stated = "PCN Level III in MT, UT 2, No. 12345, valid to 31 Jan 2027; supervised, not on site";
  for (const text of await papers(ada)) expect(text).toContain(stated);
  const record = textOf((await ada.get(`/profile/record/${id}`)).text);
  for (const text of ["MT, UT 2", "31 Jan 2027", "supervised, not on site"]) expect(record).toContain(text);
});

test("the form names what a supervisor of hours did not state; a course has no ground", async () => {
  const hours = await asked(freshEmail());
  await app.json("POST", `/api${hours.mailed}`, { supervisorName: "Ola", certification: { scheme: "PCN" } });
  for (const text of await papers(hours.ada)) expect(text).toContain("PCN; level not stated; ground not stated");
  const course = await asked(freshEmail(), "training");
  const sent = await app.json("POST", `/api${course.mailed}`, { supervisorName: "Ola", basis: "present" });
  expect(sent.status).toBe(200);
  for (const text of await papers(course.ada, "training-and-certificates")) {
    expect(text).not.toMatch(/not stated|on site/);
  }
});

test("the page takes both without script, and says which field is wrong", async () => {
  const { ada, id, mailed } = await asked(freshEmail());
  const page = await app.get(mailed);
  const fields = {
    supervisorName: "Ola",
    basis: "present",
    methods: "MT; UT 2, ",
    level: "II",
    validUntil: "2027-01-31",
  };
  const wrong = await app.submit(page, mailed, { ...fields, validUntil: "2027-02-30" });
  expect([wrong.status, textOf(wrong.text)]).toEqual([400, expect.stringContaining("Valid until")]);
  expect((await app.submit(page, mailed, fields)).status).toBe(303);
  const history = (await ada.get(`/api/entries/${id}/verification`)).json<{ log: object[] }>();
  expect(history.log.at(-1)).toMatchObject({
    basis: "present",
    certification: { methods: ["MT", "UT 2"], level: "II", validUntil: "2027-01-31" },
  });
});

test.each([
  ["an unknown ground", { basis: "rumour" }, "basis"],
  [
    "21 methods",
    { certification: { methods: Array.from({ length: 21 }, (_, n) => `M${n}`) } },
    "certification.methods",
  ],
  ["a method that is a number", { certification: { methods: [7] } }, "certification.methods.0"],
  ["a day that does not exist", { certification: { validUntil: "2027-02-30" } }, "certification.validUntil"],
])("%s is 400, and nothing is verified", async (_what, body, path) => {
  const { mailed } = await asked(freshEmail());
  const answer = await app.json("POST", `/api${mailed}`, { supervisorName: "Ola", ...body });
  expect([answer.status, answer.json()]).toMatchObject([400, { errors: [{ path }] }]);
  expect((await app.get(mailed)).status).toBe(200);
});

test("name and certificate of the last answer from a mailbox are filled in for its mailed link alone, but no ground", async () => {
  const email = freshEmail();
  const first = await asked(email);
  expect(await filledIn(first.mailed)).toMatchObject({ supervisorName: "", scheme: "", level: "" });
  expect(textOf((await app.get(first.mailed)).text)).toContain("The technician typed Ola Hansen.");
  const body = { supervisorName: "Ola H. Hansen", certification: CERTIFICATION, basis: "present" };
  await app.json("POST", `/api${first.mailed}`, body);

  const second = await asked(email);
  const filled = await filledIn(second.mailed);
  expect(filled).toMatchObject({
    ...{ supervisorName: "Ola H. Hansen", scheme: "PCN", methods: "MT, UT 2", level: "Level III" },
    ...{ number: "12345", validUntil: "2027-01-31" },
  });
  expect(filled.basis ?? "").toBe("");
  expect(await filledIn(second.bare)).toMatchObject({ supervisorName: "", scheme: "", number: "" });
  // A later answer replaces it; one that declines does not, and neither does one by the bare link.
  await app.json("POST", `/api${second.mailed}`, { supervisorName: "Ola", certification: { level: "II" } });
  const third = await asked(email);
  expect(await filledIn(third.mailed)).toMatchObject({ supervisorName: "Ola", scheme: "", level: "II" });
  await app.json("POST", `/api${third.bare}`, { supervisorName: "Somebody", certification: { level: "I" } });
  expect(await filledIn((await asked(email)).mailed)).toMatchObject({ supervisorName: "Ola", level: "II" });
  // Nothing of another mailbox, and nothing once it is erased.
  expect(await filledIn((await asked(freshEmail())).mailed)).toMatchObject({ supervisorName: "" });
  await eraseSupervisor(
    oneByOne((sql) => rows(app.db, sql)),
    email,
  );
  expect(await filledIn((await asked(email)).mailed)).toMatchObject({ supervisorName: "", level: "" });
  for (const text of await papers(second.ada)) expect(text).not.toMatch(/not stated|in MT/);
});

test("nothing is filled in of another person at the mailbox, of a deputy, nor of a verification that was disowned", async () => {
  const email = freshEmail();
  const certification = CERTIFICATION;
  const answer = async (supervisorName: string) => {
    const { mailed } = await asked(email);
    const answered = await app.json("POST", `/api${mailed}`, { supervisorName, certification });
    expect(answered.status).toBe(200);
    return mailed;
  };
  await answer("Kai Deputy");
  expect(await filledIn((await asked(email)).mailed)).toMatchObject({ supervisorName: "", number: "" });
  await app.nextDay(); // a mailbox gets five emails a day
  const first = await answer("Ola Hansen");
  expect(await filledIn((await asked(email, "entry", "Per Olsen")).mailed)).toMatchObject({
    supervisorName: "",
    number: "",
  });
  expect(await filledIn((await asked(email)).mailed)).toMatchObject({ supervisorName: "Ola Hansen", number: "12345" });
  expect((await app.json("POST", `/api${first.replace("/verify/", "/disown/")}`, {})).json()).toMatchObject({
    disowned: 1,
  });
  expect(await filledIn((await asked(email)).mailed)).toMatchObject({ supervisorName: "", number: "" });
});
