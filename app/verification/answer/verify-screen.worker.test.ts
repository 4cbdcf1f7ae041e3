import { expect, test } from "vitest";
import { verificationId } from "#app/verification/record.ts";
import { startApp } from "#tests/worker/app.ts";
import { rows } from "#tests/worker/database.ts";
import { formIn, messageOf, tagsOf, textOf, textsOf } from "#tests/worker/html.ts";

const app = await startApp();
const FAILURE = "Verification Failed This entry may have already been verified or the link is invalid.";
const NO_TOKEN = "00000000-0000-4000-8000-000000000000";

async function withOpenLink(name: string | null = "Kari <Nordmann>") {
  const ada = await app.register({ name, employeeNumber: "NDT-7" });
  const entry = await ada.addEntry({ method: "UT_THK", location: "Mongstad & Kårstø" });
  const token = await ada.requestVerification(entry.id);
  return { ada, entry, token, path: `/verify/${token}` };
}

test("the page shows the record and its owner, with one field and one button", async () => {
  const { ada, path, token } = await withOpenLink();
  const page = await app.get(path);
  const text = textOf(page.text);
  for (const words of [
    "Kari <Nordmann>",
    "NDT-7",
    ada.user.email,
    "Fri 20 Nov 2026",
    "Mongstad & Kårstø",
    "UT Thk.",
    "7.5",
  ]) {
    expect(text).toContain(words);
  }
  expect(page.status).toBe(200);
  // The certificate and the reason are folded away.
  expect(textsOf(page.text.replace(/<details[\s\S]*?<\/details>/g, ""), "label")).toEqual(["Your name"]);
  expect(formIn(page.text, path).buttons.map(({ label }) => label)).toEqual(["Verify Hours", "Decline"]);
  expect(text).toMatch(
    /@example\.com ?, Employee Number NDT-7, named you as the supervisor who can confirm this work\./,
  );
  // The address is on this page alone.
  const call = await app.get(`/api${path}`);
  await app.submit(page, path, { supervisorName: "Ola Hansen" });
  for (const other of [call, await app.get(`/success?token=${token}`), await app.get(path)]) {
    expect(other.text).not.toContain(ada.user.email);
  }
});

test("verifying leads to /success, which thanks once and shows the same verification ID at every visit", async () => {
  const { entry, token, path } = await withOpenLink();
  const browser = app.as(new Map());
  const page = await browser.get(path);
  await app.idle(); // wait for the opening event: a conflict with it would cost another round trip
  const answer = await browser.submit(page, path, { supervisorName: " Ola 👷 Hansen " });
  expect([answer.status, answer.location, answer.trips]).toEqual([303, `/success?token=${token}`, 2]);
  const first = await browser.follow(answer);
  expect(textsOf(first.text, "div", 'role="status"')).toEqual([
    "Verification successful Thank you for verifying these OJT hours.",
  ]);
  const [stored] = await rows(app.db, "SELECT * FROM entries WHERE id = ?", entry.id);
  expect(stored).toMatchObject({ verified: 1, verified_by: "Ola 👷 Hansen" });
  const at = new Date(Number(stored?.verified_at));
  const id = `VER-${String(at.getTime()).slice(-8)}-${token.slice(0, 5).toUpperCase()}`;
  expect(verificationId(token, at)).toBe(id);
  for (const page of [first, await browser.get(`/success?token=${token}`), await app.get(`/success?token=${token}`)]) {
    expect([page.status, textOf(page.text)]).toEqual([200, expect.stringContaining(`Verification ID ${id}`)]);
    expect(page.text).toContain(`<time dateTime="${at.toISOString()}">`);
    expect(textOf(page.text)).toContain("Verified by Ola 👷 Hansen");
  }
});

test("a missing, blank or too long name gets a message beside the field and verifies nothing", async () => {
  const { entry, path } = await withOpenLink();
  for (const [supervisorName, message] of [
    ["", "Name is required"],
    [" \u200b ", "Name is required"],
    ["x".repeat(201), "Name must be at most 200 characters"],
  ] as const) {
    const page = await app.post(path, { supervisorName });
    expect([page.status, messageOf(page.text, "supervisorName")]).toEqual([400, message]);
    expect(formIn(page.text, path).fields.get("supervisorName")?.trim()).toBe(supervisorName.trim());
  }
  expect(await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id)).toEqual([{ verified: 0 }]);
});

test("a used link shows everyone who verified it and when, with a link to /success", async () => {
  const { ada, token, path } = await withOpenLink();
  await app.submit(await app.get(path), path, { supervisorName: "Ola Hansen" });
  for (const client of [app, ada]) {
    const page = await client.get(path);
    expect([page.status, textOf(page.text)]).toEqual([
      409,
      expect.stringContaining(
        `${FAILURE} These hours are verified already, so all is well. There is nothing for you to do. Verified by Ola Hansen`,
      ),
    ]);
    expect(page.text).toContain(`href="/success?token=${token}"`);
    expect(page.text).not.toContain("<form");
  }
});

test("a second confirmation redirects to the page that says who verified the record", async () => {
  const { token, path, entry } = await withOpenLink();
  const page = await app.get(path);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => app.submit(page, path, { supervisorName: `Supervisor ${index}` })),
  );
  const places = answers.map(({ status, location }) => [status, location]);
  expect(places.filter(([, location]) => location === `/success?token=${token}`)).toHaveLength(1);
  expect(places.filter(([, location]) => location === path)).toHaveLength(9);
  const [stored] = await rows(app.db, "SELECT verified_by FROM entries WHERE id = ?", entry.id);
  expect(textOf((await app.get(path)).text)).toContain(`Verified by ${stored?.verified_by}`);
});

test("an unknown link is 404 and says so", async () => {
  for (const token of [NO_TOKEN, "abc", "%27--", "%0Aabc", "%C3%A9", NO_TOKEN.toUpperCase(), `${NO_TOKEN}%20`]) {
    const page = await app.get(`/verify/${token}`);
    expect([token, page.status, textOf(page.text)]).toEqual([token, 404, expect.stringContaining(FAILURE)]);
    expect(page.text).not.toContain("<form");
    expect(page.text).toContain('<a href="/inbox">');
  }
});

// Catches a redirect built from the decoded token: a line break in it is an error, other characters change the path.
test("a form sent to an unknown link shows the same page, whatever the token", async () => {
  for (const token of [NO_TOKEN, "abc", "%0Aabc", "%0d%0aSet-Cookie:%20a=b", "%C3%A9", "a%2Fb", "..%2f..", "%3Fx"]) {
    const answer = await app.post(`/verify/${token}`, { supervisorName: "Ola" });
    const page = answer.status === 303 ? await app.follow(answer) : answer;
    expect([token, page.status, textOf(page.text)]).toEqual([token, 404, expect.stringContaining(FAILURE)]);
    expect(answer.setCookie("a")).toBeUndefined();
  }
});

test("the owner sees their own hours without a form, and a form they send is refused", async () => {
  const { ada, entry, path } = await withOpenLink();
  const page = await ada.get(path);
  expect([page.status, textOf(page.text)]).toEqual([200, expect.stringContaining("These are your own hours")]);
  expect(page.text).not.toContain("<form");
  const answer = await ada.post(path, { supervisorName: "Kari" });
  expect([answer.status, textOf(answer.text)]).toEqual([403, expect.stringContaining("verify your own hours")]);
  expect(await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id)).toEqual([{ verified: 0 }]);
});

test("an owner without a name is called a technician", async () => {
  const { path } = await withOpenLink(null);
  expect(textOf((await app.get(path)).text)).toContain("A technician asks you to verify");
});

test("a failed verification shows the spec's message, keeps the name, and can be sent again", async () => {
  const { path } = await withOpenLink();
  const { values } = formIn((await app.get(path)).text, path);
  const page = await app.post(path, values({ supervisorName: "Ola Hansen" }), { "x-fail-d1-round-trip": "2" });
  expect([page.status, textsOf(page.text, "div", 'role="alert"')]).toEqual([
    500,
    ["Verification failed An error occurred during verification"],
  ]);
  expect((await app.submit(page, path, {})).status).toBe(303);
});

test("/success without a verified record shows Verification Error", async () => {
  const { token } = await withOpenLink();
  for (const query of ["", "?token=", `?token=${NO_TOKEN}`, `?token=${token}`, "?token=%0A", "?token=a&token=b"]) {
    const page = await app.get(`/success${query}`);
    expect([query, page.status, textOf(page.text)]).toEqual([
      query,
      404,
      expect.stringContaining(
        "Verification Error No verification details available. This may be an invalid link or the verification has expired.",
      ),
    ]);
  }
});

test("a supervisor's pages have no script, are not cached and not indexed", async () => {
  const { token, path } = await withOpenLink();
  const pages = [await app.get(path), await app.get("/success"), await app.get("/verify/abc")];
  await app.submit(await app.get(path), path, { supervisorName: "Ola Hansen" });
  pages.push(await app.get(path), await app.get(`/success?token=${token}`), await app.get("/success"));
  for (const page of pages) {
    expect(tagsOf(page.text, "script")).toEqual([]);
    expect(page.headers.get("Content-Security-Policy")).not.toContain("script-src");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
  }
});

// Catches an answer that the browser may not keep: Back after a corrected error was ERR_CACHE_MISS.
test("only the form that came back with an error is kept by the browser, so that Back can show it", async () => {
  const { path } = await withOpenLink();
  const page = await app.post(path, {});
  expect([page.status, page.headers.get("Cache-Control"), tagsOf(page.text, "script")]).toEqual([
    ...[400, "private, no-cache"],
    [],
  ]);
});

test("a supervisor who is named as Level I, or states it, reads that most written practices ask for more", async () => {
  const SAID = '<p class="hint">Most written practices ask for Level II or III.</p>';
  const ada = await app.register();
  const pages = ["Level I", "Level II"].map(async (certificationLevel) => {
    const { id } = await ada.addSupervisor({ certificationLevel });
    const path = `/verify/${await ada.requestVerification((await ada.addEntry()).id, id)}`;
    return { path, page: await app.get(path) };
  });
  const [one, two] = await Promise.all(pages);
  expect([one, two].map((asked) => asked?.page.text.includes(SAID))).toEqual([true, false]);
  const path = two?.path ?? "";
  for (const [level, isSaid] of [
    ["Level I", true],
    [" level i", true],
    ["1", true],
    ["Level II", false],
    ["III", false],
  ] as const) {
    expect([level, (await app.post(path, { level })).text.includes(SAID)]).toEqual([level, isSaid]);
    // While it is typed, the style sheet shows the sentence by the field's pattern.
    const pattern = tagsOf((await app.get(path)).text, "input").find(({ name }) => name === "level")?.pattern;
    expect([level, new RegExp(`^(?:${pattern})$`, "v").test(level)]).toEqual([level, !isSaid]);
  }
});

test("an invisible name verifies nothing; direction characters are removed from a name", async () => {
  const { path, entry } = await withOpenLink();
  for (const supervisorName of ["\u3164", "\u2800\u200b", "\u202e\u2066"]) {
    const page = await app.submit(await app.get(path), path, { supervisorName });
    expect([page.status, messageOf(page.text, "supervisorName")]).toEqual([400, "Name is required"]);
  }
  expect(await rows(app.db, "SELECT verified FROM entries WHERE id = ?", entry.id)).toEqual([{ verified: 0 }]);
  await app.submit(await app.get(path), path, { supervisorName: "\u202eO\u200fla\u2069 بن علي" });
  const stored = await rows(app.db, "SELECT verified_by FROM entries WHERE id = ?", entry.id);
  expect(stored).toEqual([{ verified_by: "Ola بن علي" }]);
});

test("a stored name with a direction character does not change the direction of the text around it", async () => {
  const { ada, path, token, entry } = await withOpenLink();
  const turned = "\u202enesnaH alO";
  await rows(app.db, "UPDATE users SET name = ? WHERE id = ?", turned, ada.user.id);
  expect((await app.get(path)).text).toContain(`<bdi>${turned}</bdi> asks you`);
  await rows(
    app.db,
    "UPDATE records SET verified = 1, verified_by = ?, verified_at = 1, verified_via = 'link', requested_at = NULL WHERE id = ?",
    turned,
    entry.id,
  );
  const pages = [
    await app.get(path),
    await app.get(`/success?token=${token}`),
    await ada.get(`/profile/record/${entry.id}`),
  ];
  for (const page of pages) expect(page.text).toContain(`Verified by <b dir="auto">${turned}</b>`);
});
