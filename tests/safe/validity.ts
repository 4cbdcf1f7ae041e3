/**
 * Which values may be accepted, written again from the specification (section 5) and the product's decisions instead of
 * the app's schemas: the fuzzer's oracle. A value that is valid only after normalisation (a control character read as a
 * space) counts as valid here.
 */

type Rule = (value: unknown) => boolean;
type Rules = Record<string, Rule>;

const length = (text: string) => [...text].length;

function text(max: number): Rule {
  return (value) => {
    if (typeof value !== "string" || !/[^\s\p{Cc}\p{Cf}\p{Cs}]/u.test(value)) return false;
    return length(value.replace(/[\p{C}\s]+/gu, " ").trim()) <= max;
  };
}

/** A day that exists: 2026-02-30 does not. */
function date(value: unknown): boolean {
  const [, year, month, day] = typeof value === "string" ? (/^(\d{4})-(\d{2})-(\d{2})$/.exec(value.trim()) ?? []) : [];
  const last = [31, isLeap(Number(year)) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= last;
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function hours(min: number): Rule {
  return (value) => {
    if (typeof value === "string" && !/^\s*[+-]?[\d.]+\s*$/.test(value)) return false;
    const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
    return number >= min && number <= 100_000;
  };
}

const email: Rule = (value) =>
  typeof value === "string" && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) && value.trim().length <= 254;
const password: Rule = (value) => typeof value === "string" && length(value) >= 8 && length(value) <= 128;
const oneOf =
  (list: string): Rule =>
  (value) =>
    typeof value === "string" && list.split(",").includes(value.trim());
const method = oneOf("ET,RFT,MT,PT,RT,UT_THK,UTSW,PMI,LSI");
const id: Rule = (value) => /^[1-9]\d{0,15}$/.test(String(value)) && typeof value !== "object";

/** Optional text; if given, it has at least that many characters. */
function optional(min: number): Rule {
  return (value) => {
    if (value === undefined || value === null) return true;
    if (typeof value !== "string") return false;
    const line = value.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, " ").trim();
    const isBlank = !/[\p{L}\p{N}\p{P}\p{S}]/u.test(line);
    return isBlank || (length(line) >= min && length(line) <= 200);
  };
}

const ENTRY: Rules = { date, location: text(200), method, hours: hours(0.1) };
const ROPE: Rules = { startDate: date, endDate: date, location: text(200), skills: text(2_000), hours: hours(0) };
const SUPERVISOR: Rules = {
  name: text(200),
  email,
  phone: text(200),
  company: text(200),
  certificationLevel: oneOf("Level I,Level II,Level III"),
};

const fits = (rules: Rules, sent: unknown, isPartial = false) => {
  const value = isPartial && sent === undefined ? {} : sent; // a PATCH without a body changes nothing
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const object = value as Record<string, unknown>; // told apart above
  return Object.entries(rules).every(([name, rule]) => (isPartial && !(name in object)) || rule(object[name]));
};

const inOrder = (value: unknown) => {
  const { startDate, endDate } = value as Record<string, string>; // asked only of values that fit ROPE
  return String(endDate).trim() >= String(startDate).trim();
};

const entries = (value: unknown) => {
  const list = Array.isArray(value) ? value : [value];
  return list.length >= 1 && list.length <= 500 && list.every((one) => fits(ENTRY, one));
};

const credentials = (value: unknown) =>
  fits({ email, password: (typed) => typeof typed === "string" && typed !== "" }, value);
const registration = (value: unknown) =>
  fits({ email, password, name: optional(2), employeeNumber: optional(1) }, value);

/** The rules for the body of each address; an address without rules accepts anything. */
const BODIES: [request: RegExp, isValid: (body: unknown) => boolean][] = [
  [/^POST \/api\/auth\/register$/, registration],
  [/^POST \/api\/auth\/login$/, credentials],
  [/^POST \/auth\?tab=register$/, registration],
  [/^POST \/auth$/, credentials],
  [/^POST \/(api\/auth\/)?reset-password$/, (body) => fits({ email }, body)],
  [/^POST \/(api\/auth\/)?reset-password\/.+$/, (body) => fits({ password }, body)],
  [/^POST \/(api\/user|account)\/email$/, credentials],
  [/^POST \/api\/entries$/, entries],
  [/^POST \/profile\/entries/, (body) => entries((body as { entries?: unknown }).entries)],
  [/^PATCH \/api\/entries\/[^/]+$/, (body) => fits(ENTRY, body, true)],
  [/^POST \/profile\/record\/[^/]+\/edit$/, (body) => fits(ENTRY, body)],
  [/^POST \/api\/rope-hours$|^POST \/rope-hours\/new/, (body) => fits(ROPE, body) && inOrder(body)],
  [/^PATCH \/api\/rope-hours\/[^/]+$/, (body) => fits(ROPE, body, true)],
  [/^POST \/rope-hours\/record\/[^/]+\/edit$/, (body) => fits(ROPE, body) && inOrder(body)],
  [/^POST \/api\/supervisors$/, (body) => fits(SUPERVISOR, body)],
  [/^PATCH \/api\/supervisors\/[^/]+$/, (body) => fits(SUPERVISOR, body, true)],
  [/^POST \/api\/verify-request(-rope)?\/[^/]+$/, (body) => fits({ supervisorId: id }, body)],
  [/^POST \/(profile|rope-hours)\/request\//, (body) => fits({ supervisor: id }, body) || fits(SUPERVISOR, body)],
  [/^POST \/api\/verify\/[^/]+\/decline$/, (body) => fits({ supervisorName: text(200), reason: text(500) }, body)],
  [/^POST \/(api\/)?verify\/[^/]+$/, (body) => fits({ supervisorName: text(200) }, body)],
];

/** Returns whether a request to this address may succeed with this body. */
export function isValidRequest(request: string, body: unknown): boolean {
  return BODIES.every(([address, isValid]) => !address.test(request) || isValid(body));
}
