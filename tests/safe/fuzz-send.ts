import type { World } from "#tests/worker/world.ts";
import type { Action } from "./action.ts";
import { type Mutation, RAW_MARK } from "./fuzz-requests.ts";

export interface Target {
  method: string;
  isApi: boolean;
  path: (world: World) => string;
  body: (world: World) => unknown;
  client: Action["client"];
}

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** The meaning of the body, as far as the test can parse it. */
  means: unknown;
}

/** The request as it is sent. */
export function requestFrom(target: Target, world: World, { method, segment, query, ...rest }: Mutation): Sent {
  const [pathname = "", search = ""] = target.path(world).split("?");
  const parts = pathname.split("/");
  if (segment !== null) parts[rest.target % 3 ? parts.length - 1 : parts.length] = segment;
  const asked = query ? query : search && `?${search}`;
  const body = bodyFrom(target, target.body(world), rest);
  const sentMethod = method ?? target.method;
  const hasBody = sentMethod !== "GET" && sentMethod !== "HEAD" && body.text !== undefined;
  return {
    method: sentMethod,
    path: parts.join("/") + asked,
    headers: { ...(hasBody && body.type && { "Content-Type": body.type }), ...rest.headers },
    body: hasBody ? body.text : undefined,
    means: hasBody ? body.means : undefined,
  };
}

type BodyMutation = Pick<Mutation, "fields" | "whole" | "encoding">;

/** A value whose meaning the test cannot know: the app may accept or reject it, without a server error. */
export const ANYTHING = Symbol("anything");

function bodyFrom(target: Target, valid: unknown, { fields, whole, encoding }: BodyMutation) {
  if (valid === undefined) return { text: undefined, type: undefined, means: undefined };
  return target.isApi ? jsonFrom(valid, fields, whole, encoding) : formFrom(valid, fields, whole, encoding);
}

function jsonFrom(
  valid: unknown,
  fields: Mutation["fields"],
  whole: Mutation["whole"],
  encoding: Mutation["encoding"],
) {
  const body = structuredClone(valid);
  const object = (Array.isArray(body) ? body[0] : body) as Record<string, unknown>; // all our bodies are one of the two
  let twice = "";
  for (const { field, what, value } of fields) {
    const names = Object.keys(Array.isArray(valid) ? valid[0] : (valid as object));
    const name = names[field % (names.length || 1)] ?? "x";
    if (what === "drop") delete object[name];
    else if (what === "twice") twice += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    else
      object[what === "add" ? (["isAdmin", "verified", "userId", "id", "__proto__"][field % 5] ?? "x") : name] = value;
  }
  let text = JSON.stringify(body);
  if (twice && text.endsWith("}")) text = `${text.slice(0, -1)}${text === "{}" ? twice.slice(1) : twice}}`;
  text = text.replaceAll(new RegExp(`"${RAW_MARK}((?:[^"\\\\]|\\\\.)*)"`, "g"), (_all, raw: string) =>
    JSON.parse(`"${raw}"`),
  );
  if (whole === "empty") text = "";
  if (whole === "null") text = "null";
  if (whole === "cut") text = text.slice(0, text.length / 2);
  if (whole === "nested") text = "[".repeat(2_000) + text + "]".repeat(2_000);
  if (whole === "in a list") text = `[${text}]`;
  if (whole === "many") text = `[${Array.from({ length: 501 }, () => text).join()}]`;
  const type =
    encoding === "proper" ? "application/json" : encoding === "multipart" ? "multipart/form-data" : "text/json";
  if (whole === "bytes") return { text: new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28]), type, means: undefined };
  return { text, type, means: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formFrom(
  valid: unknown,
  fields: Mutation["fields"],
  whole: Mutation["whole"],
  encoding: Mutation["encoding"],
) {
  let pairs = Object.entries(valid as Record<string, string>); // a form is a flat list of texts
  let isKnown = true;
  for (const { field, what, value } of fields) {
    const text =
      typeof value === "string" ? value.replace(RAW_MARK, "").replace(/\p{Cs}/gu, "") : JSON.stringify(value);
    const name = pairs[field % (pairs.length || 1)]?.[0] ?? "x";
    if (what === "drop") pairs = pairs.filter(([one]) => one !== name);
    if (what === "set") pairs = pairs.map(([one, old]) => [one, one === name ? text : old]);
    if (what === "twice") isKnown = false; // no rule says which of the two counts
    if (what === "twice") pairs.push([name, text]);
    if (what === "add")
      pairs.push([["__intent__", "entries[7].date", "isAdmin", "__proto__", "name.x"][field % 5] ?? "x", text]);
    if (what === "add" && field % 5 < 2) isKnown = false; // a button that adds a row, or an added row
  }
  if (whole === "empty") pairs = [];
  const means = isKnown && whole !== "many" && whole !== "in a list" ? objectFrom(pairs) : ANYTHING;
  if (whole === "many") pairs = Array.from({ length: 300 }, () => pairs).flat();
  if (whole === "in a list") pairs = pairs.map(([name, text]) => [`${name}[]`, text]);
  const encoded = new URLSearchParams(pairs).toString();
  if (whole === "cut") return { text: `${encoded}&%&=&%zz=%`, type: URLENCODED, means: ANYTHING };
  if (whole === "bytes") return { text: new Uint8Array([0xff, 0x00, 0x26, 0x3d]), type: URLENCODED, means: {} };
  if (encoding === "other type") return { text: encoded, type: "text/plain", means: undefined };
  if (encoding === "proper") return { text: encoded, type: URLENCODED, means };
  const parts = pairs.map(
    ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${text}\r\n`,
  );
  const end = whole === "nested" ? "" : "--b--\r\n";
  return {
    text: parts.join("") + end,
    type: `multipart/form-data; boundary=${whole === "null" ? "" : "b"}`,
    means: ANYTHING,
  };
}

const URLENCODED = "application/x-www-form-urlencoded";

/** Returns a form's fields as the app reads them: `entries[0].date` in a list of rows. */
function objectFrom(pairs: [string, string][]): Record<string, unknown> {
  const object: Record<string, unknown> = Object.fromEntries(pairs);
  const rows = pairs.flatMap(([name, text]) => {
    const inner = /^entries\[0\]\.(\w+)$/.exec(name)?.[1];
    return inner ? [[inner, text]] : [];
  });
  return rows.length > 0 ? { ...object, entries: [Object.fromEntries(rows)] } : object;
}
