import { METHODS, type Method } from "#app/db/enumerations.ts";
import { methodLabel, methodName } from "#app/records/entry/methods.ts";

/** What a column of a file can mean: a field, or the hours of one method where each method has a column of its own. */
export type Target = EntryField | RopeField | Method;
type EntryField = "date" | "location" | "method" | "hours" | "broughtForward";
type RopeField = "startDate" | "endDate" | "location" | "skills" | "hours";

/** The targets of a kind's columns, in the order of the export. */
export function targetsOf(kind: string): readonly Target[] {
  return kind === "entry"
    ? ["date", "location", "method", "hours", "broughtForward", ...METHODS]
    : ["startDate", "endDate", "location", "skills", "hours"];
}

export function isMethod(target: string): target is Method {
  return METHODS.some((method) => method === target);
}

const LABELS: Record<EntryField | RopeField, string> = {
  date: "Date",
  location: "Location",
  method: "Method",
  hours: "Hours",
  broughtForward: "Brought forward",
  startDate: "Start date",
  endDate: "End date",
  skills: "Skills",
};

/** The name of a target for people, and the name of its column in an export. */
export function targetLabel(target: Target): string {
  return isMethod(target) ? `${methodLabel(target)} hours` : LABELS[target];
}

/** The names of columns, as `plainName` leaves them, the surest first. */
const NAMES: Record<EntryField | RopeField, string[]> = {
  date: [
    ...["date", "job date", "work date", "date of work", "date worked", "shift date", "inspection date", "test date"],
    ...["activity date", "day", "work day", "as of", "start date", "datum", "fecha", "data", "dato"],
  ],
  location: [
    ...["location", "job location", "work location", "job site", "jobsite", "work site", "worksite", "site", "place"],
    ...["work place", "workplace", "place of work", "facility", "plant", "where", "installation", "project", "client"],
    ...["customer", "ort", "lugar", "lieu", "sted"],
  ],
  method: [
    ...["method", "ndt method", "test method", "testing method", "inspection method", "technique", "ndt technique"],
    ...["inspection technique", "discipline", "method technique", "type of test", "methode", "metodo"],
  ],
  hours: [
    ...[
      "hours",
      "hrs",
      "hr",
      "h",
      "hours worked",
      "hrs worked",
      "work hours",
      "ojt hours",
      "rope hours",
      "no of hours",
    ],
    ...[
      "number of hours",
      "total hours",
      "total hrs",
      "time",
      "time worked",
      "duration",
      "stunden",
      "horas",
      "heures",
      "timer",
    ],
  ],
  broughtForward: ["brought forward", "carried forward", "b f", "opening balance"],
  startDate: ["start date", "date from", "from date", "from", "start", "first day", "begin", "date started", "date"],
  endDate: ["end date", "date to", "to date", "to", "until", "end", "finish", "last day", "date finished"],
  skills: [
    ...[
      "skills",
      "skill",
      "work task",
      "tasks",
      "task",
      "task performed",
      "tasks performed",
      "work performed",
      "work done",
    ],
    ...[
      "description of work",
      "work description",
      "description",
      "details",
      "nature of work",
      "type of work",
      "activity",
    ],
    ...["activities", "work", "rope access task"],
  ],
};

/** Names of methods that technicians use besides code, label and full name. `UT` alone may be either of two. */
const METHOD_NAMES: Partial<Record<Method, string[]>> = {
  ET: ["ect", "eddy current"],
  RFT: ["rfet", "remote field"],
  MT: ["mpi", "mag", "mag particle", "magnetic particle", "magnetic particle inspection", "magnetic testing"],
  PT: ["lpi", "dpi", "lpt", "penetrant", "dye penetrant", "liquid penetrant", "penetrant testing"],
  RT: ["radiography", "radiographic", "radiographic inspection", "x ray", "gamma"],
  UT_THK: ["ut thickness", "utt", "utm", "thickness", "ultrasonic thickness", "ut thick", "utthk"],
  UTSW: ["ut sw", "ut shear wave", "ut shearwave", "shear wave", "shearwave", "ultrasonic shear wave"],
  PMI: ["positive material id"],
};

const METHOD_OF = new Map(
  METHODS.flatMap((method) =>
    [method, methodLabel(method), methodName(method) ?? "", ...(METHOD_NAMES[method] ?? [])].map(
      (name): [string, Method] => [plainName(name), method],
    ),
  ).filter(([name]) => name !== ""),
);

/** A name in lower case, without accents, punctuation and what is in brackets: `Hours (decimal)` is `hours`. */
function plainName(name: string): string {
  return name
    .slice(0, 200)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\([^)]*\)/g, " ")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The method that a cell or a column's name means; null for any other text. */
export function methodNamed(text: string): Method | null {
  const name = plainName(text);
  return METHOD_OF.get(name) ?? METHOD_OF.get(name.replace(/ (?:hours|hour|hrs|hr|h)$/, "")) ?? null;
}

/**
 * What the columns with these names mean, each meaning at most once. If methods have columns of their own, there is no
 * column of the method, and a column of hours is their total.
 */
export function recognizeColumns(kind: string, names: readonly string[]): (Target | null)[] {
  const plain = names.map(plainName);
  const mapping: (Target | null)[] = names.map(() => null);
  const give = (index: number, target: Target) => {
    if (index >= 0 && mapping[index] === null && !mapping.includes(target)) mapping[index] = target;
  };
  const targets = targetsOf(kind);
  const fields = targets.filter((target): target is EntryField | RopeField => !isMethod(target));
  const methods = kind === "entry" ? names.map(methodNamed) : [];
  const isWide = methods.some((method) => method !== null);
  for (const [index, method] of methods.entries()) if (method) give(index, method);
  for (const field of fields) {
    if (isWide && (field === "method" || field === "hours")) continue;
    const free = (name: string) => plain.findIndex((one, index) => one === name && mapping[index] === null);
    give(NAMES[field].map(free).find((index) => index >= 0) ?? -1, field);
  }
  return mapping;
}

/** The fields without which no row can be read. */
export function missingTargets(kind: string, mapping: readonly (Target | null)[]): Target[] {
  const isWide = mapping.some((target) => target !== null && isMethod(target));
  const optional: Target[] = isWide ? ["broughtForward", "method", "hours"] : ["broughtForward"];
  return targetsOf(kind).filter(
    (target) => !isMethod(target) && !optional.includes(target) && !mapping.includes(target),
  );
}
