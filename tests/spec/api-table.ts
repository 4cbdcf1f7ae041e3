import { callsOf, codesOf, takesServiceToken, takesToken } from "#app/api/document.server.ts";
import type { JsonSchema } from "#app/api/example.ts";
import { ERROR_CODES } from "#app/errors.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { XLSX_TYPE } from "#app/server/stream.server.ts";
import { COMPONENTS, operationOf } from "#tests/worker/described.ts";

/*
 * docs/api-calls.md, generated from the endpoints: a table of the calls for each subject, and one of the objects.
 */

const INTRODUCTION = `# The calls

Generated from the endpoints: \`npx vitest run --config remix.config.ts --project unit tests/spec/api-docs.test.ts -u\`.
[api.md](api.md) has the rules. A \`?\` marks what may be missing. A call takes a session or an API token unless it says
_session_ or _everyone_; _service token_: it takes that, too. _key_: it takes an \`Idempotency-Key\`. The codes are the refusals besides those that every such call has.`;

/** The refusals that follow from what a call is, and are not repeated in the table. */
const COMMON = [
  ...["unknown_host", "rate_limited", "invalid", "invalid_json", "cross_site", "incomplete", "too_large", "too_slow"],
  ...[
    "unsupported_type",
    "unauthorized",
    "token_ended",
    "admin_only",
    "read_only_token",
    "session_only",
    "service_token",
    "not_found",
    "busy",
  ],
];

/** The whole document. */
export function apiTable(): string {
  const calls = callsOf(ALL_ENDPOINTS);
  const subjects = ALL_ENDPOINTS.map(({ subject }) => {
    const rows = calls.filter((call) => call.subject === subject).map(rowOf);
    return [`## ${subject.name}`, "", ...table(["Call", "What it does", "Sent", "Answer"], rows)].join("\n");
  });
  const objects = Object.entries(COMPONENTS)
    .filter(([, schema]) => "properties" in schema)
    .map(([name, schema]) => [`\`${name}\``, `\`${shapeOf(schema as JsonSchema, true)}\``]);
  const codes = Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  const parts = [
    INTRODUCTION,
    ...subjects,
    [
      "## Parameters",
      "",
      "The parameters of queries, with their values.",
      "",
      ...table(["Parameter", "Values", "Calls"], parameterRows(calls)),
    ].join("\n"),
    ["## Objects", "", ...table(["Name", "Fields"], objects)].join("\n"),
    ["## Codes of refusals", "", ...table(["Code", "Status", "Meaning"], codes)].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function rowOf(call: ReturnType<typeof callsOf>[number]): string[] {
  const { name, endpoint, method, operation } = call;
  const described = operationOf(method, endpoint.path.replaceAll(/\{\w+\}/g, "1"));
  if (!described) throw new Error(`${name} is not described`);
  const notes = [
    endpoint.access === "public" ? "everyone" : endpoint.access === "admin" && "admins",
    endpoint.access !== "public" && !takesToken(call) && "session",
    takesServiceToken(call) && "service token",
    operation.hasKey && "key",
  ].filter(Boolean);
  const query = described.parameters.filter((one) => one.in === "query").map((one) => one.name);
  const body = described.requestBody?.content["application/json"].schema;
  const sent = [query.length > 0 && `\`?${query.join("=, ?")}=\``, body && `\`${shapeOf(body as JsonSchema)}\``].filter(
    Boolean,
  );
  const status = operation.status ?? 200;
  const answer = Object.values(described.responses[status]?.content ?? {})[0]?.schema;
  const file =
    operation.file === "text/csv"
      ? "a CSV file"
      : operation.file === XLSX_TYPE
        ? "an .xlsx file"
        : `\`${shapeOf(answer as JsonSchema)}\``;
  const codes = codesOf(call).filter((code) => !COMMON.includes(code));
  const more = codes.length > 0 ? `; ${codes.map((code) => `\`${code}\``).join(", ")}` : "";
  const summary = [operation.summary, operation.description].filter(Boolean).join(". ").replaceAll("|", "\\|");
  return [
    `\`${name}\``,
    notes.length > 0 ? `${summary} (${notes.join(", ")})` : summary,
    sent.join(", "),
    `${status} ${file}${more}`,
  ];
}

/** Each parameter with its values, and the calls that take it with these. */
function parameterRows(calls: ReturnType<typeof callsOf>): string[][] {
  const rows = new Map<string, { name: string; values: string; paths: string[] }>();
  for (const { endpoint, method } of calls) {
    const described = operationOf(method, endpoint.path.replaceAll(/\{\w+\}/g, "1"));
    for (const { name, in: where, schema } of described?.parameters ?? []) {
      if (where !== "query") continue;
      const values = valuesOf(schema as JsonSchema);
      const row = rows.get(`${name} ${values}`) ?? { name, values, paths: [] };
      row.paths.push(`\`${method} ${endpoint.path.replace("/api/", "")}\``);
      rows.set(`${name} ${values}`, row);
    }
  }
  return [...rows.values()]
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ name, values, paths }) => [`\`${name}\``, values, paths.join(", ")]);
}

/** The values that a parameter takes. */
function valuesOf(schema: JsonSchema): string {
  const { enum: choices, type, format, minimum, maximum, maxLength, pattern, default: without, description } = schema;
  const range =
    typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : `from ${minimum}`;
  const values = Array.isArray(choices)
    ? choices.map((value) => `\`${value}\``).join(", ")
    : type === "integer"
      ? `a whole number ${range}`
      : format === "date"
        ? "`YYYY-MM-DD`"
        : pattern
          ? `text like \`${String(pattern).replaceAll("|", "\\|")}\``
          : maxLength
            ? `text of at most ${maxLength} characters`
            : "text";
  const more = [
    typeof description === "string" && description,
    without !== undefined && without !== "" && `\`${without}\` without it`,
  ];
  return [values, ...more.filter(Boolean)].join(". ");
}

/** A schema in short: the fields of an object, the name of a component, the words of a choice. */
function shapeOf(schema: JsonSchema, isWhole = false): string {
  if (typeof schema.$ref === "string") return schema.$ref.replace("#/components/schemas/", "");
  if ("const" in schema) return JSON.stringify(schema.const);
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return [...new Set(options.map((option) => shapeOf(option)))].join(" or ");
  if (schema.type === "array") return `[${shapeOf((schema.items ?? {}) as JsonSchema)}]`;
  if (schema.type === "object" && schema.properties) {
    const required = (schema.required ?? []) as string[];
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, field]) => {
      const inside = isWhole ? insideOf(field) : "";
      return `${name}${required.includes(name) ? "" : "?"}${inside}`;
    });
    return `{${fields.join(", ")}}`;
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  return String(schema.type ?? "any");
}

/** Returns the content of a field that is an object or a list of objects. */
function insideOf(field: JsonSchema): string {
  const text = shapeOf(field);
  return /[{[]/.test(text) ? `: ${text}` : "";
}

function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
