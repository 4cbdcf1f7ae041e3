import { expect, test } from "vitest";
import { checkFields } from "#app/forms/field-rules.ts";
import { supervisorSchema } from "./supervisor.schema.ts";
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
  { email: "piet" },
  { email: "piet@" },
  { email: "a b@example.com" },
  { phone: "" },
  { company: "" },
  { name: "", email: "", phone: "", company: "" },
])("the browser says of %j what the server would", (over) => {
  const draft = { ...good, ...over };
  expect(checkFields(draft, supervisorRules)).toEqual(serverSays(draft));
});

test("a certification level must be chosen; the server refuses unknown ones", () => {
  expect(checkFields({ ...good, certificationLevel: "" }, supervisorRules)).toEqual(
    serverSays({ ...good, certificationLevel: "" }),
  );
});
