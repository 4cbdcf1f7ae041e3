import fc from "fast-check";

/** A change to a valid request; which request and which values is decided when it is sent. */
export interface Mutation {
  /** The number of the request to change. */
  target: number;
  method: string | null;
  /** The text that replaces the id or token in the address, or follows the address. */
  segment: string | null;
  query: string;
  /** Changes to the fields of the body, by their number. */
  fields: { field: number; what: "set" | "drop" | "twice" | "add"; value: unknown }[];
  /** A change to the body as a whole. */
  whole: "as it is" | "empty" | "cut" | "nested" | "in a list" | "bytes" | "null" | "many";
  encoding: "proper" | "multipart" | "other type";
  headers: Record<string, string>;
  cookies: "own" | "none" | "garbage";
}

/** Numbers that JSON can write and JavaScript cannot represent, and text that is not JSON: inserted as they are. */
const RAW = ["1e400", "-1e400", "1e-400", "01", "+1", "NaN", "0x10", "1.", '"\\ud800"', '"\\u0000"', "-0"];
/** Marks such raw text until the body is written. */
export const RAW_MARK = "‹raw›";

const NASTY = [
  ...["", " ", "\u0000", "\u200b", "\ud800", "\r\n", "x\u0000y", "e\u0301".repeat(90), "👩‍🚒".repeat(150), "\u202eabc"],
  ...["2026-02-30", "2026-13-01", "0000-00-00", "0000-01-01", "9999-12-31", "+002026-01-01", "2026-1-1", "2026-02-29"],
  ...["2024-02-29", "1900-02-29", "2026-11-21T00:00:00Z", "٢٠٢٦-١١-٢١", "21.11.2026", " 2026-11-20 "],
  ...["0.1", "0.09", "1e3", "1e999", "Infinity", "-1", "0x10", "7,5", "１２", ".5", "5.", "100000", "100000.01", "--1"],
  ...["' OR 1=1 --", '"; DROP TABLE users; --', "<script>alert(1)</script>", "%00", "{{7*7}}", "../../etc/passwd"],
  ...["__proto__", "constructor", "null", "true", "new", "Level IV", "UT Thk.", "mt"],
  ...["a@b", "a@b.c", "@", "a b@example.com", "ä@exämple.com", `${"x".repeat(250)}@example.com`, "A@EXAMPLE.COM "],
];

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.constantFrom(...RAW.map((raw) => RAW_MARK + raw)) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 0.1, 0.099, 1e21, 2 ** 53, 100_000.004) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(201), "x".repeat(2_001), "x".repeat(100_000), "\n".repeat(5_000)),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], {}, [[]], { length: 1e9 }, [null], { toString: "x" }) },
);

/** Returns null except for one in that many. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, of: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: of - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const segment = fc.oneof(
  fc.constantFrom("0", "-1", "1e3", "1.0", "01", "9007199254740993", "99999999999999999999", "NaN", "%", "%zz", "%00"),
  fc.constantFrom("%C3%28", "%2e%2e", "..", "%2f", ";", "a".repeat(3_000), "%F0%9F%91%A9", "%E0%A4%A", "null", "1%20"),
  fc.uuid(),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => encodeURIComponent(text.replace(/\p{Cs}/gu, ""))),
);

const query = rarely(
  fc.constantFrom(
    ...["?", "?x", "?delete=1", "?delete=%00", "?request=-1", "?request=1&link=1", "?at=1e9", "?before=x"],
    ...[
      "?before=2026-02-30.1",
      "?before=2026-11-20.99999999999999999999",
      "?limit=1e9",
      "?limit=-1",
      "?limit=1&before=0",
    ],
    ...["?tab=entries&search=%00", `?search=${"x".repeat(2_000)}`, "?search=%25_%27", "?tab=__proto__", "?_data=root"],
    ...["?token=%F0", "?saved=abc", "?%E0%A4%A", "?deleted=0", "?index", "?tab=register&tab=login"],
  ),
  5,
).map((found) => found ?? "");

const headers = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "Idempotency-Key": "x".repeat(5_000) },
      { "Idempotency-Key": "\u00ff" },
      { Origin: "null" },
      { Origin: "http://" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "nonsense" },
      { Accept: "image/png" },
      { "Accept-Language": "x".repeat(2_000) },
      { "If-None-Match": "*", "If-Modified-Since": "never" },
      { Range: "bytes=0-1" },
      { "X-Forwarded-Host": "evil.example", "X-Forwarded-For": "::1, x" },
      { "User-Agent": "\u00fc".repeat(500) },
      { "CF-Connecting-IP": "not an address" },
      { "Transfer-Encoding-": "x", "X-HTTP-Method-Override": "DELETE" },
      { "Content-Encoding": "gzip" },
    ),
  },
);

/** Most requests are wrong in one or two places: a request that is wrong everywhere is rejected at the first. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  target: fc.nat(100_000),
  method: rarely(fc.constantFrom("PUT", "PATCH", "DELETE", "POST", "GET", "HEAD", "OPTIONS"), 12),
  segment: rarely(segment, 8),
  query,
  fields: fc.array(
    fc.record({
      field: fc.nat(20),
      what: fc.constantFrom("set", "set", "set", "drop", "twice", "add"),
      value,
    }),
    { minLength: 1, maxLength: 2 },
  ),
  whole: fc.oneof(
    { weight: 12, arbitrary: fc.constant("as it is" as const) },
    { weight: 1, arbitrary: fc.constantFrom("empty", "cut", "nested", "in a list", "bytes", "null", "many") },
  ),
  encoding: fc.oneof(
    { weight: 12, arbitrary: fc.constant("proper" as const) },
    { weight: 1, arbitrary: fc.constantFrom("multipart", "other type") },
  ),
  headers,
  cookies: fc.oneof(
    { weight: 15, arbitrary: fc.constant("own" as const) },
    { weight: 1, arbitrary: fc.constantFrom("none", "garbage") },
  ),
});
