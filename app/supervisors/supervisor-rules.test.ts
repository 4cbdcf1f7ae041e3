import { expect, test } from "vitest";
import { checkFields } from "#app/forms/field-rules.ts";
import { NEEDED_FOR_EVIDENCE, NEEDED_FOR_HOURS, supervisorNeeding, supervisorSchema } from "./supervisor.schema.ts";
import { supervisorRules } from "./supervisor-rules.server.ts";

const good = { name: "Piet", email: "piet@example.com", phone: "1", certificationLevel: "Level II", company: "NDT" };

function serverSays(draft: Record<string, string>): Record<string, string> {
  const issues = supervisorSchema.safeParse(draft).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

test.each([
  {},
  { name: " " },
  { name: "x".repeat(201) },
  { email: "" },
  { email: " Piet@Example.COM " },
  { email: "Piet Boer <Piet@example.com>" },
  { email: "Piet <piet>" },
  { email: "anna&ole@example.com" },
  { email: "piet" },
  { email: "piet@" },
  { email: "a b@example.com" },
  { phone: "" },
  { company: "" },
  { name: "", email: "", phone: "", company: "" },
])("the browser says of %j what the server would", (over) => {
  const draft = { ...good, ...over };
  expect(checkFields(draft, supervisorRules(NEEDED_FOR_HOURS))).toEqual(serverSays(draft));
});

test("the browser and the server require of the giver of a course or a test only a role", () => {
  const rules = supervisorRules(NEEDED_FOR_EVIDENCE);
  const draft = { name: "Piet", email: "piet@example.com", phone: "", certificationLevel: "", company: "" };
  expect(checkFields({ ...draft, role: "" }, rules)).toEqual({ role: "Role is required" });
  expect(supervisorNeeding(NEEDED_FOR_EVIDENCE).safeParse(draft).error?.issues).toMatchObject([
    { path: ["role"], message: "Role is required" },
  ]);
  expect(checkFields({ ...draft, role: "Examiner" }, rules)).toEqual({});
  expect(supervisorNeeding(NEEDED_FOR_EVIDENCE).parse({ ...draft, role: " Examiner " })).toEqual({
    ...{ name: "Piet", email: "piet@example.com", role: "Examiner" },
    ...{ phone: null, certificationLevel: null, company: null },
  });
  const long = { ...draft, role: "x".repeat(201) };
  expect(checkFields(long, rules)).toEqual(serverSays(long));
});

test("a certification level must be chosen; the server refuses unknown ones", () => {
  expect(checkFields({ ...good, certificationLevel: "" }, supervisorRules(NEEDED_FOR_HOURS))).toEqual(
    serverSays({ ...good, certificationLevel: "" }),
  );
});
