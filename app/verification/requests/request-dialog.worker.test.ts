import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { count, rows } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";
import type { Technician } from "#tests/worker/people.ts";

/* The dialog without JavaScript, by its URL: /profile?request={id}. */

const app = await startApp();

const newSupervisor = {
  supervisor: "new",
  name: "Ola Hansen",
  email: "ola@example.org",
  phone: "+47 555 01 234",
  certificationLevel: "Level II",
  company: "Fjord Inspection AS",
};

async function withEntry(): Promise<{ ada: Technician; id: number; open: string; send: string }> {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  return { ada, id, open: `/profile?request=${id}`, send: `/profile/request/${id}` };
}

async function tokenOf(id: number): Promise<unknown> {
  const [row] = await rows(app.db, "SELECT verification_token FROM entries WHERE id = ?", id);
  return row?.verification_token;
}

test("Request Verification opens the dialog by its URL", async () => {
  const { ada, id, open } = await withEntry();
  const log = await ada.get("/profile");
  expect(textsOf(log.text, "dialog")).toEqual([]);
  expect(log.text).toMatch(
    new RegExp(`<button name="request" value="${id}" type="submit" class="second">Request Verification`),
  );
  const dialog = await ada.get(open);
  expect(textsOf(dialog.text, "dialog")).toEqual([expect.stringContaining("Request Verification")]);
  expect(textsOf(dialog.text, "dialog")[0]).toContain("20 Nov 2026 Mongstad Worked as Trainee MT 7.5 hours");
});

test("the page behind the dialog is inert, and the dialog can be closed", async () => {
  const { ada, open } = await withEntry();
  const dialog = await ada.get(open);
  expect(tagsOf(dialog.text, "div").some((tag) => "inert" in tag)).toBe(true);
  expect(dialog.text).toMatch(/<a[^>]*href="\/profile\?at=\d+"[^>]*aria-label="Close"/);
});

test("the dialog takes the focus, and gives it back to the button that opened it, whose row is marked", async () => {
  const { ada, id, open, send } = await withEntry();
  const [other] = await ada.addEntries(1);
  const focused = (html: string) => (html.match(/<[^>]* autofocus=""[^>]*>/g) ?? []).join();
  const dialog = await ada.get(open);
  expect(focused(dialog.text)).toMatch(/^<dialog [^>]*tabindex="-1"[^>]*>$/);
  expect(dialog.text.match(/<tr[^>]*data-at[^>]*>.*?value="(\d+)"/s)?.[1]).toBe(String(id));
  const closed = await ada.get(`/profile?at=${id}`);
  expect(focused(closed.text)).toMatch(new RegExp(`^<button name="request" value="${id}"[^>]*>$`));
  expect(closed.text.match(/data-at/g)).toHaveLength(closed.text.split('document.querySelector("[data-at]")').length);
  expect((await ada.get(`/profile?at=${other?.id}`)).text).toContain(`value="${other?.id}" type="submit"`);
  // A field with an error takes it instead.
  const refused = await ada.submit(dialog, send, { ...newSupervisor, name: "" });
  expect(focused(refused.text)).toMatch(/^<input [^>]*name="name"[^>]*>$/);
  expect((await ada.get("/profile")).text).not.toContain("autofocus");
});

test("a request from a filtered log leads back to the same page of it", async () => {
  const { ada, id } = await withEntry();
  const supervisor = await ada.addSupervisor();
  const filter = "status=pending&from=2026-01-01&q=mong&before=2026-12-01.9";
  const log = await ada.get(`/profile?${filter}&nonsense=1`);
  const rows = log.text.split("<form").find((form) => form.includes(`name="request" value="${id}"`));
  const chosen = formIn(`<form${rows}`, "/profile").values({}, "Request Verification");
  expect(String(chosen)).toBe(`${filter}&request=${id}`);
  const dialog = await ada.get(`/profile?${chosen}`);
  const close = tagsOf(dialog.text, "a").find((tag) => tag["aria-label"] === "Close");
  expect(close?.href).toBe(`/profile?${filter}&at=${id}`);
  const sent = await ada.submit(
    dialog,
    `/profile/request/${id}`,
    { supervisor: String(supervisor.id) },
    "Send Request",
  );
  expect(sent.location).toBe(`/profile?request=${id}&link=1&${filter}`);
  const link = await ada.follow(sent);
  expect(String(formIn(link.text.split("<dialog")[1] ?? "", "/profile").values({}, "Done"))).toBe(`${filter}&at=${id}`);
});

test("saved supervisors are offered with the last one chosen, and a new one last", async () => {
  const { ada, open, send } = await withEntry();
  const none = formIn((await ada.get(open)).text, send);
  expect(none.fields.get("supervisor")).toBe("new");
  await ada.addSupervisor({ name: "First" });
  const second = await ada.addSupervisor({ name: "Second" });
  const page = await ada.get(open);
  expect(formIn(page.text, send).fields.get("supervisor")).toBe(String(second.id));
  const choices = textsOf(page.text, "label", 'class="choice"');
  expect(choices.map((choice) => choice.split(" ")[0])).toEqual(["Second", "First", "New"]);
});

// Seen: the newest was chosen, an instructor, who was then sent hours by one careless tap, or refused below the screen.
test("the supervisor of the last request is chosen, that of the record if it has one, and never one who cannot verify it", async () => {
  const { ada, open, send } = await withEntry();
  const other = await ada.addEntry({ location: "Sture" });
  const piet = await ada.addSupervisor({ name: "Piet" });
  const aoife = await ada.addSupervisor({ name: "Aoife" });
  const hanne = await ada.addSupervisor({
    name: "Hanne",
    ...{ phone: null, certificationLevel: null, company: null, role: "Instructor" },
  });
  const chosenAt = async (path: string, form: string) => {
    const { text } = await ada.get(path);
    return formIn(text.slice(text.lastIndexOf(`action="${form}`) - 100), form).fields.get("supervisor");
  };
  expect(await chosenAt(open, send)).toBe(String(aoife.id));
  await ada.requestVerification(other.id, piet.id);
  expect([await chosenAt(open, send), await chosenAt("/requests/new", "/requests/new")]).toEqual([
    ...[String(piet.id), String(piet.id)],
  ]);
  const third = await ada.addEntry();
  await ada.requestVerification(third.id, aoife.id);
  const dialog = await ada.get(`/profile?request=${other.id}`);
  expect(formIn(dialog.text, `/profile/request/${other.id}`).fields.get("supervisor")).toBe(String(piet.id));
  const text = textsOf(dialog.text, "dialog")[0];
  expect(text).toContain("Piet is asked already. Ask again, or choose who is asked instead.");
  expect(text).toMatch(
    /Hanne Instructor, \S+ Cannot verify hours yet\. Under Supervisors, add: phone, certification level, company/,
  );
  expect(textsOf((await ada.get(open)).text, "dialog")[0]).not.toContain("asked already");

  const refused = await ada.submit(await ada.get(open), send, { supervisor: String(hanne.id) }, "Send Request");
  expect(refused.status).toBe(400);
  const focused = refused.text.match(/<[^>]* autofocus=""[^>]*>/g) ?? [];
  expect(focused).toEqual([expect.stringMatching(new RegExp(`^<input type="radio"[^>]* value="${hanne.id}"`))]);
  const [choice] = textsOf(refused.text, "fieldset");
  expect(choice).toMatch(
    /^Supervisor Hanne cannot verify hours yet\. Under Supervisors, add: phone, certification level, company\./,
  );
});

// Seen: the request was known by its address alone, and only if it was the record's own.
test("the supervisor who has the request is chosen, also after a change of their address, and if the request is for several records", async () => {
  const { ada, id, open, send } = await withEntry();
  const [first, second, third] = await ada.addEntries(3);
  const [right, other] = [await ada.addSupervisor({ name: "Right" }), await ada.addSupervisor({ name: "Other" })];
  await ada.requestVerification(id, right.id);
  await ada.requestVerification(third?.id ?? 0, other.id);
  const corrected = await ada.json("PATCH", `/api/supervisors/${right.id}`, { email: "right@example.net" });
  expect(corrected.status).toBe(200);
  expect(formIn((await ada.get(open)).text, send).fields.get("supervisor")).toBe(String(right.id));
  const records = [first, second].map((entry) => ({ type: "entry", id: entry?.id }));
  const several = await ada.json("POST", "/api/verification-requests", { supervisorId: right.id, records });
  expect(several.status).toBe(201);
  await ada.requestVerification(third?.id ?? 0, other.id);
  const dialog = await ada.get(`/profile?request=${first?.id}`);
  expect(formIn(dialog.text, `/profile/request/${first?.id}`).fields.get("supervisor")).toBe(String(right.id));
  expect(textsOf(dialog.text, "dialog")[0]).toContain("Right is asked already.");
});

test("asking a saved supervisor makes the link and shows it", async () => {
  const { ada, id, open, send } = await withEntry();
  const supervisor = await ada.addSupervisor();
  const answer = await ada.submit(await ada.get(open), send, { supervisor: String(supervisor.id) }, "Send Request");
  expect(answer.status).toBe(303);
  const page = await ada.follow(answer);
  const link = tagsOf(page.text, "input").find(({ type }) => type === "url")?.value;
  expect(link).toBe(`http://localhost/verify/${await tokenOf(id)}`);
  expect(textsOf(page.text, "dialog")[0]).toMatch(/Done$/);
});

test("asking a new supervisor saves them and makes the link; asking again returns the same link", async () => {
  const { ada, id, open, send } = await withEntry();
  const page = await ada.get(open);
  const answer = await ada.submit(page, send, newSupervisor, "Send Request");
  expect([answer.status, answer.trips]).toEqual([303, 2]);
  const token = await tokenOf(id);
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  const stored = await rows(app.db, "SELECT * FROM supervisors WHERE user_id = ?", ada.user.id);
  expect(stored).toMatchObject([{ name: "Ola Hansen", certification_level: "Level II" }]);
  // Send Request pressed twice, or again after Back.
  const again = await Promise.all([ada.submit(page, send, newSupervisor), ada.submit(page, send, newSupervisor)]);
  expect(again.map(({ status }) => status)).toEqual([303, 303]);
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(1);
  expect(await tokenOf(id)).toBe(token);
});

test("the fields of a new supervisor are ignored if a saved one is chosen", async () => {
  const { ada, open, send } = await withEntry();
  const { id } = await ada.addSupervisor();
  const half = { ...newSupervisor, supervisor: String(id), email: "not yet", name: "" };
  expect((await ada.submit(await ada.get(open), send, half)).status).toBe(303);
  expect(await count(app.db, "supervisors", "user_id = ?", ada.user.id)).toBe(1);
});

test("each invalid field of a new supervisor has its message, and all typed values are kept", async () => {
  const { ada, id, open, send } = await withEntry();
  const typed = { ...newSupervisor, name: " ", email: "ola", phone: "", certificationLevel: "", company: "<b>AS</b>" };
  const page = await ada.submit(await ada.get(open), send, typed);
  expect(page.status).toBe(400);
  expect(["name", "email", "phone", "certificationLevel", "company"].map((name) => messageOf(page.text, name))).toEqual(
    ["Name is required", "Invalid email address", "Phone is required", "Choose Level I, Level II or Level III", null],
  );
  expect(Object.fromEntries(formIn(page.text, send).fields)).toEqual(typed);
  expect([await tokenOf(id), await count(app.db, "supervisors", "user_id = ?", ada.user.id)]).toEqual([null, 0]);
});

test("the technician's own address is refused beside the field", async () => {
  const { ada, id, open, send } = await withEntry();
  const own = { ...newSupervisor, email: ada.user.email.toUpperCase() };
  const page = await ada.submit(await ada.get(open), send, own);
  expect([page.status, messageOf(page.text, "email")]).toEqual([
    400,
    "This is your own email address. Someone else must verify your hours.",
  ]);
  expect([await tokenOf(id), await count(app.db, "supervisors", "user_id = ?", ada.user.id)]).toEqual([null, 0]);
});

test("no choice, an unknown supervisor and another technician's supervisor are refused with a message", async () => {
  const { ada, id, send } = await withEntry();
  const bob = await app.register();
  const theirs = await bob.addSupervisor();
  for (const supervisor of ["", "x", "0", "-1"]) {
    const page = await ada.post(send, { supervisor });
    expect([supervisor, page.status, textOf(page.text)]).toEqual([
      supervisor,
      400,
      expect.stringContaining("Choose a supervisor"),
    ]);
  }
  const page = await ada.post(send, { supervisor: String(theirs.id) });
  expect([page.status, textsOf(page.text, "div", 'role="alert"')]).toEqual([
    404,
    ["Error That supervisor is not in your list."],
  ]);
  expect(await tokenOf(id)).toBeNull();
});

test("another technician's, a verified and an unknown entry are refused with the reason", async () => {
  const { ada } = await withEntry();
  const bob = await app.register();
  const { entry: verified } = await ada.addVerifiedEntry();
  const theirs = await bob.addEntry();
  for (const [id, words] of [
    [theirs.id, "There is no such entry in your log."],
    [999_999, "There is no such entry in your log."],
    ["abc", "There is no such entry in your log."],
    [verified.id, "This entry is already verified."],
  ] as const) {
    const answer = await ada.get(`/profile?request=${id}`);
    expect([id, answer.status, answer.location]).toEqual([id, 303, "/profile"]);
    expect(textsOf((await ada.follow(answer)).text, "div", 'role="alert"')).toEqual([`Error ${words}`]);
  }
  for (const id of [theirs.id, 999_999, "abc", "1.5"]) {
    expect([id, (await ada.get(`/profile/request/${id}`)).status]).toEqual([id, 404]);
    expect([id, (await ada.post(`/profile/request/${id}`, newSupervisor)).status]).toEqual([id, 404]);
  }
  const late = await ada.post(`/profile/request/${verified.id}`, newSupervisor);
  expect([late.status, textOf(late.text)]).toEqual([409, expect.stringContaining("This entry is already verified.")]);
  expect(await tokenOf(theirs.id)).toBeNull();
});

test("a failed request shows the spec's message, keeps all typed values, and saves nothing", async () => {
  const { ada, id, open, send } = await withEntry();
  const form = formIn((await ada.get(open)).text, send);
  const page = await ada.post(form.action, form.values(newSupervisor), { "x-fail-d1-round-trip": "2" });
  expect([page.status, textsOf(page.text, "div", 'role="alert"')]).toEqual([
    500,
    ["Error Failed to create supervisor. Please try again."],
  ]);
  expect(formIn(page.text, send).fields.get("company")).toBe(newSupervisor.company);
  expect([await tokenOf(id), await count(app.db, "supervisors", "user_id = ?", ada.user.id)]).toEqual([null, 0]);
  expect((await ada.submit(page, send, {}, "Send Request")).status).toBe(303);

  const [saved] = await rows<{ id: number }>(app.db, "SELECT id FROM supervisors WHERE user_id = ?", ada.user.id);
  const again = await ada.post(form.action, { supervisor: String(saved?.id) }, { "x-fail-d1-round-trip": "2" });
  expect([again.status, textsOf(again.text, "div", 'role="alert"')]).toEqual([
    500,
    ["Error Failed to send verification request. Please try again."],
  ]);
});

test("the views show the token of a record's own request: while it is open, and once it is verified", async () => {
  const who = await app.register();
  const { id } = await who.addEntry();
  const own = async () => {
    const token = await who.requestVerification(id);
    await app.idle();
    expect(await tokenOf(id)).toBe(token);
    return token;
  };
  expect(await tokenOf(id)).toBeNull();
  await own();
  await who.json("DELETE", `/api/verify-request/${id}`);
  expect(await tokenOf(id)).toBeNull();
  await own();
  await who.json("PATCH", `/api/entries/${id}`, { hours: 3 });
  expect(await tokenOf(id)).toBeNull();
  const declined = await own();
  await app.json("POST", `/api/verify/${declined}/decline`, { supervisorName: "Ola", reason: "Not mine" });
  expect(await tokenOf(id)).toBeNull();
  await own();
  await who.json("DELETE", `/api/entries/${id}`);
  await who.json("POST", `/api/entries/${id}/restore`);
  expect(await tokenOf(id)).toBeNull();
  const verified = await own();
  await app.json("POST", `/api/verify/${verified}`, { supervisorName: "Ola" });
  expect(await tokenOf(id)).toBe(verified);
  // The technician reads no token in any list: only what makes or lists a request has it.
  for (const path of ["/api/entries", `/api/entries/${id}`, `/api/entries/${id}/verification`]) {
    expect((await who.get(path)).text).not.toContain(verified);
  }
});
