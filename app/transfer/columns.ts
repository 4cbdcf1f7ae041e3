import { METHOD_FACTS, METHODS, type Method } from "#app/db/enumerations.ts";
import type { Detail } from "#app/records/details.ts";
import { methodLabel, methodName } from "#app/records/entry/methods.ts";
import { type Field, hasField, isExperience, type Kind, valuesOf } from "#app/records/kind.ts";
import { headingOf } from "#app/server/csv.ts";

/**
 * The meaning of a column: a field, the person whose row it is, or the hours of one method where each method has a
 * column of its own.
 */
export type ColumnMeaning = string;

/** The column of the people in a file of several: the rows of one of them are imported. */
export const PERSON = "person";

const PERSON_HEADINGS = [
  ...["technician", "employee", "name", "technician name", "employee name", "worker", "inspector", "operator", "naam"],
  ...["mitarbeiter", "nom", "nombre", "nome", "navn", "imie i nazwisko", "medewerker", "technicus", "prufer"],
  ...["technicien", "tecnico", "pracownik", "medarbeider"],
];

/** The columns of a start, an end and a break, which make hours. */
export const START_TIME = "startTime";
export const END_TIME = "endTime";
export const BREAK = "break";

const TIME_COLUMNS = [
  {
    name: START_TIME,
    headings: [
      ...["start time", "time start", "time in", "time from", "from time", "clock in", "in", "start", "from", "begin"],
      ...[
        "startzeit",
        "arbeitsbeginn",
        "beginn",
        "von",
        "begintijd",
        "starttijd",
        "van",
        "heure debut",
        "heure de debut",
      ],
      ...[
        "debut",
        "hora inicio",
        "hora de inicio",
        "inicio",
        "desde",
        "starttid",
        "fra",
        "fran",
        "od",
        "inizio",
        "inn",
      ],
    ],
  },
  {
    name: END_TIME,
    headings: [
      ...["end time", "time end", "time out", "time to", "to time", "clock out", "out", "end", "to", "until", "finish"],
      ...["endzeit", "arbeitsende", "ende", "bis", "eindtijd", "einde", "tot", "heure fin", "heure de fin", "fin"],
      ...[
        "hora fin",
        "hora de fin",
        "hasta",
        "fim",
        "ate",
        "sluttid",
        "slutt",
        "slut",
        "til",
        "till",
        "do",
        "fine",
        "ut",
      ],
    ],
  },
  {
    name: BREAK,
    headings: [
      ...["break", "breaks", "break time", "lunch", "lunch break", "unpaid break", "rest", "pause", "pausen", "pauze"],
      ...["descanso", "pausa", "intervalo", "przerwa", "rast"],
    ],
  },
];

/** The column of the minutes beside whole hours, which are added to them. */
export const MINUTES = "minutes";
const MINUTES_HEADINGS = ["minutes", "min", "mins", "minuten", "minuty", "minutos", "minutter"];

/** How many cells of a column are times of day. */
export type TimesIn = "all" | "most" | "none";

/** Whether a column has a start, an end or a break. */
export function isTime(target: ColumnMeaning): boolean {
  return TIME_COLUMNS.some(({ name }) => name === target);
}

/** Words for a time of day, besides the headings of `TIME_COLUMNS`. */
const TIME_WORDS = new Set([
  "time",
  "time of day",
  "uhrzeit",
  "zeit",
  "heure",
  "hora",
  "tid",
  "czas",
  "godzina",
  "ora",
]);

/** Whether a heading names a time of day, or may: `Time`, `Start`. */
export function isTimeHeading(heading: string): boolean {
  const plain = plainHeading(heading);
  return TIME_WORDS.has(plain) || TIME_COLUMNS.some(({ headings }) => headings.includes(plain));
}

/** The fields and details that have columns, in the order of the export. */
export function fieldsOf({ fields, details }: Kind): readonly (Field | Detail)[] {
  return [...fields.filter(({ type }) => type !== "details"), ...details];
}

/** Returns the meanings that the columns of a kind can have, in the order of the export. */
export function columnMeanings(kind: Kind): readonly ColumnMeaning[] {
  return [
    ...fieldsOf(kind).map(({ name }) => name),
    ...(hasField(kind, "hours") ? [...TIME_COLUMNS.map(({ name }) => name), MINUTES] : []),
    PERSON,
    ...(isExperience(kind) && hasField(kind, "method") ? METHODS : []),
  ];
}

export function isMethod(target: ColumnMeaning): target is Method {
  return METHODS.some((method) => method === target);
}

/** The field that a meaning names; undefined for a detail or method. */
export function fieldOf({ fields }: Kind, target: ColumnMeaning): Field | undefined {
  return fields.find(({ name }) => name === target);
}

/** The name of a meaning for people, and the name of its column in an export. */
export function meaningLabel(target: ColumnMeaning): string {
  if (target === MINUTES) return "Minutes, added to the hours";
  return isMethod(target) ? `${methodLabel(target)} hours` : headingOf(target);
}

/**
 * Names of methods that technicians use besides code, label and full name: in English, Dutch, German, French, Spanish,
 * Portuguese, Polish and Norwegian, without the words of `ABOUT_METHOD`. Without `AT` and `TT`, which head other columns too.
 */
const METHOD_NAMES: Partial<Record<Method, string[]>> = {
  ET: [
    ...["ect", "eddy current", "eddy", "eddy current inspection", "wervelstroom", "wirbelstrom"],
    ...["courants de foucault", "corrientes inducidas", "corrientes parásitas", "correntes induzidas"],
    ...["correntes parasitas", "prądy wirowe", "prądów wirowych", "wiroprądowe", "virvelstrøm"],
  ],
  RFT: ["rfet", "remote field", "fernfeld", "champ lointain", "campo remoto"],
  MT: [
    ...["mpi", "mpt", "mag", "mag particle", "mag particles", "mag particle testing", "mag particle inspection"],
    ...["magnetic particle", "magnetic particles", "magnetic particle inspection", "magnetic testing"],
    ...["magnetisch", "magnetische deeltjes", "magnetpulver", "magnétoscopie", "magnétoscopique"],
    ...["partículas magnéticas", "magnetyczno proszkowe", "magnetyczno proszkowa", "magnetyczne"],
  ],
  PT: [
    ...["lpi", "dpi", "lpt", "dpt", "fpi", "dye", "dye pen", "dye penetrant", "dye penetrant inspection"],
    ...["dye penetrant testing", "liquid penetrant", "liquid penetrant inspection", "liquid penetrant testing"],
    ...["penetrant", "penetrant inspection", "penetrant testing", "fluorescent penetrant", "eindring", "farbeindring"],
    ...["penetrierstoff", "ressuage", "líquidos penetrantes", "penetracyjne", "penetracyjna", "penetrante vloeistof"],
  ],
  RT: [
    ...["radiography", "radiographic", "radiographic inspection", "x ray", "x rays", "xray", "gamma", "gamma ray"],
    ...["gamma rays", "röntgen", "radiografisch", "durchstrahlung", "radiographie", "radiografie", "gammagraphie"],
    ...["radiographique", "radiografía", "gammagrafía", "radiograficzne", "radiografi", "rentgen"],
  ],
  UT_THK: [
    ...["ut thickness", "utt", "utm", "thickness", "ultrasonic thickness", "ut thick", "utthk"],
    // From other languages only the words for the measuring: a column called `Wanddicke` has millimetres.
    ...["wanddiktemeting", "wanddickenmessung", "mesure d épaisseur", "medición de espesores"],
    ...["medição de espessura", "pomiar grubości", "tykkelsesmåling"],
  ],
  UTSW: ["ut sw", "ut shear wave", "ut shearwave", "shear wave", "shearwave", "ultrasonic shear wave"],
  PMI: ["positive material id", "positive materialidentifikation", "identification positive des matériaux"],
  VT: [
    ...[
      "visual testing",
      "visual inspection",
      "visual examination",
      "sicht",
      "visueel",
      "visuele",
      "visuele inspectie",
    ],
    ...["visuell", "visuelle", "visuel", "inspection visuelle", "wizualne", "wizualna"],
  ],
  UT: [
    ...["ultrasonics", "ultrasound", "ultrasonic testing", "ultrasonic inspection", "ultrasoon", "ultrasone"],
    ...["ultraschall", "ultrasons", "ultrasonido", "ultrasonidos", "ultrassom", "ultrasonico", "ultradźwięki"],
    ...["ultradźwiękowe", "ultradźwiękowa", "ultralyd"],
  ],
  PAUT: [
    ...["phased array ut", "phased array ultrasonic", "phased array ultrasonic testing", "paut testing"],
    ...["gruppenstrahler", "ultrasons multiéléments", "ultrasonido phased array", "arreglo de fases"],
  ],
  TOFD: ["time of flight", "tofd testing"],
  ACFM: ["alternating current field measurement testing"],
  ECA: ["ect array", "wirbelstrom array", "courants de foucault multiéléments"],
  LT: [
    ...["leak testing", "leak test", "leak detection", "leakage testing", "dichtheit", "dichtheits", "lecksuche"],
    ...["lektest", "lekdetectie", "étanchéité", "fugas", "estanqueidad", "estanqueidade", "szczelności", "tetthet"],
  ],
  AE: [
    ...["aet", "acoustic emission", "acoustic emission testing", "schallemission", "akoestische emissie"],
    ...["émission acoustique", "emisión acústica", "emissão acústica", "emisja akustyczna", "akustisk emisjon"],
  ],
  IR: [
    ...["irt", "thermography", "infrared", "infrared thermography", "thermal imaging", "thermografie", "thermographie"],
    ...["thermographie infrarouge", "termografía", "termografia", "termograficzne", "termografi"],
  ],
  GW: [
    ...["gwt", "gwut", "lrut", "guided waves", "guided wave testing", "guided wave ut", "geführte wellen"],
    ...["ondes guidées", "ondas guiadas", "fale prowadzone", "geleide golven"],
  ],
  MFL: ["flux leakage", "magnetic flux leakage testing", "streufluss", "fuite de flux magnétique"],
};

const METHOD_OF = new Map(
  METHODS.flatMap((method) =>
    [method, methodLabel(method), methodName(method) ?? "", ...(METHOD_NAMES[method] ?? [])].map(
      (name): [string, Method] => [plainHeading(name), method],
    ),
  ).filter(([name]) => name !== ""),
);

/** A name in lower case, without accents, punctuation and what is in brackets: `Hours (decimal)` is `hours`. */
export function plainHeading(name: string): string {
  return name
    .slice(0, 200)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\([^)]*\)/g, " ")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The words that other languages put around the name of a method, as `plainHeading` leaves it: `Eindringprüfung`,
 * `essai par ressuage`.
 */
const ABOUT_METHOD =
  /^(?:badani[ae]|controle|essais?|ensayos?|inspeccion|ensaios?|inspecao)(?: (?:par|por|de|d))? | ?s?(?:pr(?:u|ue)fung|onderzoek|prøving|kontroll)$| (?:hours|hour|hrs|hr|h)$/g;

/** Words for thickness. Beside `UT`, in a cell of the methods: a column of this name has millimetres. */
const THICKNESS = new Set([
  ...["dikte", "wanddikte", "diktemeting", "dicke", "wanddicke", "dickenmessung", "epaisseur", "epaisseurs"],
  ...["espesor", "espesores", "espessura", "espessuras", "grubosc", "grubosci", "tykkelse"],
]);

/** The beginnings of words for these two methods, in more forms than a list has. */
const STEMS: readonly [Method, RegExp][] = [
  ["UT", /^ultra(?:s[ocs]|zvu|dzw|lyd|ljud)/],
  ["VT", /^(?:vis$|visu|sicht|wizual)/],
];

/** A word for a method that the app does not have. */
const OTHER_METHOD = /\bfluores(?:cence|zenz|centie|cencia)\b/;

/** The marks that join two methods, besides the words for *and*. */
const JOINT = /[/+&,;|]/;
const AND = new Set(["and", "en", "und", "et", "y", "e", "og", "oraz", "i"]);

/** A name as short as this is a code, such as `MT`: in small letters it may be another word. */
const CODE_LENGTH = 3;

/** The methods that a text names anywhere, without those of which it names a technique: `UT phased array`. */
function methodsIn(text: string): Method[] {
  const plain = plainHeading(text);
  const words = plain.split(" ");
  const codes = new Set(text.match(/[\p{L}\p{N}]+/gu));
  const names = [...METHOD_OF].filter(
    ([name]) => ` ${plain} `.includes(` ${name} `) && (name.length > CODE_LENGTH || codes.has(name.toUpperCase())),
  );
  const methods = new Set(names.map(([, method]) => method));
  for (const [method, stem] of STEMS) if (words.some((word) => stem.test(word))) methods.add(method);
  const isUltrasonic = methods.has("UT") || words.includes("ut");
  if (isUltrasonic && words.some((word) => THICKNESS.has(word))) methods.add("UT_THK");
  const named = new Set([...methods].map((one) => METHOD_FACTS[one].techniqueOf));
  return [...methods].filter((one) => !named.has(one));
}

const withoutBrackets = (text: string) => text.slice(0, 200).replace(/[()]/g, " ");

/** The method that a cell or a column's name means; null for any other text, and if its brackets name another: `UT (dikte)`. */
export function methodNamed(text: string): Method | null {
  const found = (name: string) => METHOD_OF.get(name) ?? METHOD_OF.get(name.replace(ABOUT_METHOD, "")) ?? null;
  const whole = withoutBrackets(text);
  const method = found(plainHeading(whole)) ?? found(plainHeading(text));
  const isUnclear = OTHER_METHOD.test(plainHeading(whole)) || methodsIn(whole).some((one) => one !== method);
  return text.includes("(") && isUnclear ? null : method;
}

/**
 * The method of a cell that says more besides, `MT yoke` or `UT dikte`; null if it names none, or may name two. It is a guess,
 * shown as what the cell means for the technician to correct.
 */
export function methodIn(cell: string): Method | null {
  const text = withoutBrackets(cell);
  const [method, ...others] = methodsIn(text);
  const plain = plainHeading(text);
  const between = plain.split(" ").slice(1, -1);
  const isJoint = JOINT.test(text) || between.some((word) => AND.has(word));
  return !method || others.length > 0 || isJoint || OTHER_METHOD.test(plain) ? null : method;
}

/**
 * Finds the meanings of the columns with these names, each at most once but methods, whose hours add up. If methods
 * have columns of their own, there is no column of the method, and a column of hours is their total. Without `timesOf`,
 * which gives the number of cells of a column that are times of day, the names alone count. `areMinutes` says whether two
 * columns are whole hours and the minutes beside them.
 */
export function recognizeColumns(
  kind: Kind,
  names: readonly string[],
  timesOf?: (index: number) => TimesIn,
  areMinutes?: (hours: number, minutes: number) => boolean,
): (ColumnMeaning | null)[] {
  const plain = names.map(plainHeading);
  const mapping: (ColumnMeaning | null)[] = names.map(() => null);
  const give = (index: number, target: ColumnMeaning) => {
    if (index < 0 || mapping[index] !== null) return;
    if (isMethod(target) || !mapping.includes(target)) mapping[index] = target;
  };
  const isTimeColumn = (index: number, target: string) =>
    timesOf !== undefined &&
    timesOf(index) !== "none" &&
    TIME_COLUMNS.some(({ name, headings }) => name === target && headings.includes(plain[index] ?? ""));
  // Norwegian `Ut` beside `Inn`.
  const hasStart = plain.some((_, index) => isTimeColumn(index, START_TIME));
  const methods = columnMeanings(kind).some(isMethod)
    ? names.map((name, index) =>
        // `UT %` has parts of the hours.
        name.includes("%") || (hasStart && isTimeColumn(index, END_TIME)) ? null : methodNamed(name),
      )
    : [];
  const isWide = methods.some((method) => method !== null);
  for (const [index, method] of methods.entries()) if (method) give(index, method);
  const times = hasField(kind, "hours") ? TIME_COLUMNS : [];
  for (const { name, headings } of [...fieldsOf(kind), ...times, { name: PERSON, headings: PERSON_HEADINGS }]) {
    if (isWide && isOfMethod(kind, name)) continue;
    if (name === BREAK && !mapping.includes(START_TIME)) continue;
    // `Start` of a period is a date, of a day a time: the cells decide.
    const isOfTime = name === START_TIME || name === END_TIME;
    const fits = (index: number) =>
      !timesOf ||
      (isOfTime ? timesOf(index) !== "none" : fieldOf(kind, name)?.type !== "date" || timesOf(index) !== "all");
    const free = (heading: string) =>
      plain.findIndex((one, index) => one === heading && mapping[index] === null && fits(index));
    // First what our own export writes, so that a new field is imported without a heading of its own.
    const known = [plainHeading(headingOf(name)), ...headings];
    give(known.map(free).find((index) => index >= 0) ?? -1, name);
  }
  const hours = mapping.indexOf("hours");
  const minutes = plain.findIndex((one, index) => MINUTES_HEADINGS.includes(one) && mapping[index] === null);
  if (hours >= 0 && minutes >= 0 && areMinutes?.(hours, minutes)) give(minutes, MINUTES);
  return mapping;
}

/** The fields without which no row can be read. */
export function missingMeanings(kind: Kind, mapping: readonly (ColumnMeaning | null)[]): ColumnMeaning[] {
  const isWide = mapping.some((target) => target !== null && isMethod(target));
  const hasTimes = mapping.includes(START_TIME) && mapping.includes(END_TIME);
  const isGiven = (field: string) =>
    mapping.includes(field) ||
    (isWide && isOfMethod(kind, field)) ||
    (hasTimes && field === "hours") ||
    (field === lastDayField(kind) && mapping.includes(firstDayField(kind)));
  return valuesOf(kind).filter((field) => !fieldOf(kind, field)?.isOptional && !isGiven(field));
}

/** The field of the date, or of the first day of a period. */
export function firstDayField({ fields }: Kind): string {
  return fields.find(({ stored }) => stored === "date")?.name ?? "";
}

/** The field of the last day of a period; undefined for a kind of one day. Without a column of it a row is of one day. */
export function lastDayField({ fields }: Kind): string | undefined {
  return fields.find(({ type, stored }) => type === "date" && stored === "endDate")?.name;
}

/** Whether the columns of the methods provide this one. */
export function isOfMethod(kind: Kind, target: ColumnMeaning): boolean {
  const type = fieldOf(kind, target)?.type;
  return type === "method" || type === "hours";
}
