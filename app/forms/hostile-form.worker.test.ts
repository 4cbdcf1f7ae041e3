import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";

/*
 * Forms that no browser sends. A form is a flat list of names, and a name can claim any index of any list; a button
 * that adds or removes a row carries JSON that a client can change. Catches a form that reaches Conform unchecked: it
 * would create a billion holes before any schema runs, and the Worker would hang until it is killed.
 */

const app = await startApp();

const intent = (value: unknown) => ({ __intent__: typeof value === "string" ? value : JSON.stringify(value) });
const row = { "entries[0].date": "2026-11-20", "entries[0].location": "x", "entries[0].method": "MT" };

const FORMS: Record<string, string>[] = [
  {},
  { entries: "x" },
  { entries: "x", ...row },
  { "entries[0]": "x", ...row },
  { "entries[-1].date": "x" },
  { "entries[1e9].date": "x" },
  { "entries[999999999].date": "x" },
  { "entries[4294967294].date": "x" },
  { "entries[99999999999999999999].date": "x" },
  { "entries[510].date": "2026-11-20" },
  { "entries[0][0][0].date": "x" },
  { "entries[0].__proto__.polluted": "x" },
  { "__proto__.polluted": "x" },
  { "constructor.prototype.polluted": "x" },
  { "entries.length": "1000000000" },
  { "entries[0].date.x": "x" },
  { "email.x": "x", "supervisorName[0]": "x", "name[7].x": "x" },
  { "[0]": "x" },
  { "": "x" },
  { "entries[": "x" },
  { "email[0].x": "x", "password[1].x": "x", "supervisorName[0].x": "x", "supervisor[0].x": "new" },
  { "entries[0].constructor": "x", "entries[0].toString": "x" },
  { toString: "x", constructor: "x", hasOwnProperty: "x" },
  { supervisor: "new", "name[0].x": "x", "company[1000].x": "x" },
  { "entries[0].date": "x", "entries[00].date": "x", "entries[000].date": "x" },
];

const BUTTONS: Record<string, string>[] = [
  ...["", "{", "null", "[]", "7", '"x"', "{}", '{"type":"insert"}', '{"type":"x","payload":{}}'].map(intent),
  intent({ type: "insert", payload: { name: "entries", index: 1e9 } }),
  intent({ type: "insert", payload: { name: "entries[999999999]", defaultValue: {} } }),
  intent({ type: "insert", payload: { name: "__proto__", defaultValue: {} } }),
  intent({ type: "insert", payload: { name: "entries", defaultValue: "x" } }),
  ...["email", "password", "supervisorName", "supervisor", "name", "nothing", ""].flatMap((name) => [
    { [name]: "x", ...intent({ type: "insert", payload: { name, index: 0, defaultValue: { x: "y" } } }) },
    { [name]: "x", ...intent({ type: "remove", payload: { name, index: 0 } }) },
    { [name]: "x", ...intent({ type: "validate", payload: { name } }) },
  ]),
  { entries: "x", ...intent({ type: "insert", payload: { name: "entries" } }) },
  { ...row, ...intent({ type: "insert", payload: { name: "entries", index: 1000 } }) },
  { ...row, ...intent('{"type":"insert","payload":{"name":"entries","defaultValue":{"__proto__":"x"}}}') },
  { ...row, ...intent({ type: "insert", payload: { name: "entries", defaultValue: { "a[9999999].b": "x" } } }) },
  { ...row, ...intent({ type: "insert", payload: { name: "entries", defaultValue: { date: ["x"] } } }) },
  { ...row, ...intent({ type: "insert", payload: { name: "entries", defaultValue: { other: "x" } } }) },
  intent({ type: "remove", payload: { name: "entries", index: -1 } }),
  intent({ type: "remove", payload: { name: "nothing", index: 0 } }),
  intent({ type: "reorder", payload: { name: "entries", from: 0, to: 1e9 } }),
  intent({ type: "update", payload: { name: "entries[99999999].date", value: "x" } }),
  intent({ type: "update", payload: { name: "entries", value: "x" } }),
  intent({ type: "reset", payload: {} }),
  intent({ type: "validate", payload: { name: "entries" } }),
];

/** Every route that takes a form, with its answer to an unreadable one. */
async function addresses(ada: Technician) {
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  return [
    [ada, "/profile/entries"],
    [ada, `/profile/request/${id}`],
    [app, "/auth"],
    [app, "/auth?tab=register"],
    [app, `/verify/${token}`],
  ] as const;
}

for (const [what, forms] of [
  ["names", FORMS],
  ["buttons", BUTTONS],
] as const) {
  test(`a form with hostile ${what} is answered at once with a message, and saves nothing`, async () => {
    const ada = await app.register();
    const wrong: unknown[] = [];
    for (const [client, path] of await addresses(ada)) {
      for (const form of forms) {
        const answer = await client.post(path, form);
        if (![200, 400].includes(answer.status)) wrong.push([path, form, answer.status]);
        expect(answer.text).not.toMatch(/\bat \w+ \(|node_modules/);
      }
    }
    expect(wrong).toEqual([]);
    expect(await ada.storedEntries()).toBe(1);
    expect(app.log.join("")).not.toContain('"level":"error"');
    // The Worker still answers.
    expect((await app.json("POST", "/api/auth/login", { email: ada.user.email, password: PASSWORD })).status).toBe(200);
  });
}

const TWICE = "The form has the same field twice. Reload the page and try again.";

/** Builds a form with that many names of letters alone, like the names of our forms. */
const distinct = (size: number) =>
  new URLSearchParams(Array.from({ length: size }, (_, index) => [`x${letters(index)}`, "x"]));

const letters = (number: number) => [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");

// Catches names that reach Conform unchecked: its time grows with the square of how often a name is repeated.
test("a form with a repeated field is rejected, and so is one with more than 1,000 fields", async () => {
  const ada = await app.register();
  const wrong: unknown[] = [];
  for (const [client, path] of await addresses(ada)) {
    for (const [form, status, words] of [
      ["a=&a=", 400, TWICE],
      ["email=a%40b.no&password=x&email=c%40d.no", 400, TWICE],
      ["entries[0].date=2026-11-20&entries[0].date=2026-11-21", 400, TWICE],
      ["__intent__=&__intent__=", 400, "This form has no such button."],
      [String(distinct(1_001)), 400, "The form is too long: at most 1,000 fields."],
      ["1=&1=", 400, TWICE],
    ] as const) {
      const answer = await client.post(path, new URLSearchParams(form));
      if (answer.status !== status || !answer.text.includes(words)) wrong.push([path, form, answer.status]);
    }
    const most = await client.post(path, distinct(1_000));
    if (most.status !== 400 || most.text.includes("too long")) wrong.push([path, "1,000 fields", most.status]);
  }
  expect(wrong).toEqual([]);
  expect(await ada.storedEntries()).toBe(1);
});

test("rows of a list do not count towards the field limit: a form of 500 rows can add and remove one", async () => {
  const ada = await app.register();
  const form = Array.from({ length: 500 }, (_, index) => [
    [`entries[${index}].date`, "2026-11-20"],
    [`entries[${index}].location`, `Cursor ${index}`],
    [`entries[${index}].method`, "MT"],
    [`entries[${index}].hours`, "7.5"],
  ]).flat();
  const rowsAfter = async (button: object) => {
    const sent = new URLSearchParams([...form, ["__intent__", JSON.stringify(button)]]);
    const { status, text } = await ada.post("/profile/entries", sent);
    return [status, text.match(/name="entries\[\d+\]\.location"/g)?.length];
  };
  const blank = { date: "2026-11-21", location: "", method: "", hours: "" };
  expect(await rowsAfter({ type: "insert", payload: { name: "entries", defaultValue: blank } })).toEqual([200, 501]);
  expect(await rowsAfter({ type: "remove", payload: { name: "entries", index: 499 } })).toEqual([200, 499]);
  const tooMany = new URLSearchParams([["entries[510].date", "2026-11-20"]]);
  const refused = await ada.post("/profile/entries", tooMany);
  expect([refused.status, refused.text.includes("at most 510 rows")]).toEqual([400, true]);
});
