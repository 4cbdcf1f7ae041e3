/** A schema in JSON. */
export type JsonSchema = Record<string, unknown>;

/** The texts of examples, by the name of the field. */
const TEXTS: Record<string, string> = {
  address: "203.0.113.7",
  back: "b3hQ0cW1",
  before: "2026-11-16.41",
  m: "m2VdX8kqTn1h",
  q: "Mongstad",
  search: "Hansen",
  sort: "name",
  browser: "Firefox on Android",
  certificationLevel: "Level III",
  company: "Northgate NDT",
  currentPassword: "a long passphrase",
  course: "UT Level II",
  date: "2026-11-16",
  email: "ola.hansen@example.com",
  employeeNumber: "E-1024",
  endDate: "2026-11-20",
  issuedOn: "2026-02-01",
  issuer: "Northgate NDT",
  jobNumber: "WO-4711",
  location: "Refinery, unit 4",
  message: "Done",
  name: "Ola Hansen",
  newPassword: "another passphrase",
  password: "a long passphrase",
  phone: "+47 22 00 00 00",
  organization: "Northgate Academy",
  place: "Oslo",
  role: "Instructor",
  skills: "Rope access, ultrasonic testing of welds",
  standard: "SNT-TC-1A",
  startDate: "2026-11-16",
  supervisorEmail: "ola.hansen@example.com",
  supervisorName: "Ola Hansen",
  text: "Date,Location,Method,Hours\n2026-11-16,Mongstad,MT,7.5",
  title: "UT Level II",
  verifiedBy: "Ola Hansen",
};

/** Numbers by the name of their field; others are the least that the schema allows. */
const NUMBERS: Record<string, number> = { hours: 7.5, required: 400, total: 7.5 };

/**
 * An example of what a schema describes: every field that must be there, with a value that people recognise. `components`
 * are what references lead to.
 */
export function exampleOf(schema: JsonSchema, components: JsonSchema, name = ""): unknown {
  if (typeof schema.$ref === "string") {
    return exampleOf(components[schema.$ref.replace("#/components/schemas/", "")] as JsonSchema, components, name);
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== "");
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (first) return exampleOf(first, components, name);
  const [type] = [schema.type].flat(); // the second is null
  switch (type) {
    case "object":
      return objectOf(schema, components);
    case "array":
      return listOf(schema, components, name);
    case "boolean":
      return false;
    case "integer":
    case "number":
      return NUMBERS[name] ?? (Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) > 0 ? schema.minimum : 1);
    case "null":
      return null;
    case "string":
      return textOf(schema, name);
    default:
      return {};
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema, components: JsonSchema): unknown {
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const isNeeded = (field: string) => (required as string[]).includes(field);
  // A change has no field that it needs: its example has the first.
  const shown = fields.filter(
    ([field], index) => isNeeded(field) || ((required as string[]).length === 0 && index === 0),
  );
  return Object.fromEntries(shown.map(([field, value]) => [field, exampleOf(value, components, field)]));
}

function listOf({ items, prefixItems, minItems }: JsonSchema, components: JsonSchema, name: string): unknown[] {
  if (Array.isArray(prefixItems)) return prefixItems.map((item) => exampleOf(item, components, name));
  const item = exampleOf((items ?? {}) as JsonSchema, components, name);
  return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => item);
}

function textOf({ format, pattern }: JsonSchema, name: string): string {
  if (format === "date") return TEXTS[name] ?? "2026-11-16";
  if (format === "date-time") return "2026-11-20T16:30:00.000Z";
  if (format === "email") return "ola.hansen@example.com";
  const text = TEXTS[name] ?? "text";
  return typeof pattern === "string" && !new RegExp(pattern).test(text) ? "41" : text;
}
