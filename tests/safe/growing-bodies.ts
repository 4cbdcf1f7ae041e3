import { MAX_BODY_BYTES } from "#app/server/body.server.ts";

/** A body of any size: `size` parameters, parts, items or levels, or 16 characters for each. */
export interface GrowingBody {
  name: string;
  type: string;
  make: (size: number) => string;
}

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
const JSON_TYPE = "application/json";

/** Characters of a long value for each parameter of a long form: at the largest size, the most that a body may hold. */
const CHARACTERS = 15;

/** Texts on which a regular expression, a search or a normalisation can backtrack. */
const TEXTS: [name: string, make: (length: number) => string][] = [
  ["letters", (length) => "a".repeat(length)],
  ["digits, then a letter", (length) => `${"1".repeat(length)}x`],
  ["spaces between letters", (length) => `a${" ".repeat(length)}a`],
  ["dots after an at sign", (length) => `a@${"a.".repeat(length / 2)}1`],
  ["dots before no at sign", (length) => "a.".repeat(length / 2)],
  ["quotation marks", (length) => `W/${'"'.repeat(length / 2)}x`],
  ["hyphens", (length) => `a${"-".repeat(length)}!`],
  ["accents out of order", (length) => "\u0301\u0316".repeat(length / 4)],
  ["a letter that NFKC makes 18 of", (length) => "\ufdfa".repeat(length / 9)],
];

/** Returns a name of letters alone for each number, like the names of our forms: 1 is `b`, 26 is `ba`. */
function letters(number: number): string {
  return [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");
}

/** Repeats a piece that many times, or as often as a body may hold. */
function pieces(size: number, make: (index: number) => string, separator = ""): string {
  const all: string[] = [];
  let length = 0;
  for (let index = 0; index < size; index += 1) {
    const piece = make(index);
    length += piece.length + separator.length;
    if (length > MAX_BODY_BYTES - 100) break;
    all.push(piece);
  }
  return all.join(separator);
}

const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;

/** Returns a button's value that adds a row with that many columns. */
function buttonWith(size: number): string {
  const columns = pieces(size / 2, (index) => `"${letters(index)}":""`, ",");
  return `{"type":"insert","payload":{"name":"entries","defaultValue":{${columns}}}}`;
}

/** Returns forms of every shape, for a form with these fields. */
export function growingForms(valid: Record<string, string>): GrowingBody[] {
  const [first = "a"] = Object.keys(valid);
  const form = (name: string, make: (index: number) => string): GrowingBody => ({
    name,
    type: URLENCODED,
    make: (size) => pieces(size, make, "&"),
  });
  const parts = (name: string, make: (index: number) => string): GrowingBody => ({
    name,
    type: MULTIPART,
    make: (size) => `${pieces(size, (index) => part(make(index)))}--b--\r\n`,
  });
  return [
    form("one name repeated", () => "a="),
    form("one of its names repeated", () => `${encodeURIComponent(first)}=`),
    form("distinct names", (index) => `${letters(index)}=`),
    form("names that none of our forms has", (index) => `${index}=`),
    form("no name", () => "="),
    form("rows of a list", (index) => `entries[${index >> 2}].${["date", "location", "method", "hours"][index & 3]}=`),
    form("the last row of a list", (index) => `entries[${999 - (index % 2)}].${letters(index)}=`),
    form("one row with zeros before its place", (index) => `entries[${"0".repeat(index % 64)}${index % 2}].date=`),
    form("columns of a row", (index) => `entries[0].${letters(index)}=`),
    form("levels of a list", (index) => `a${"[0]".repeat(index % 50)}=`),
    form("buttons", () => "__intent__=%7B%7D"),
    {
      name: "a button with a long row",
      type: URLENCODED,
      make: (size) => `__intent__=${encodeURIComponent(buttonWith(size))}`,
    },
    { name: "one long name", type: URLENCODED, make: (size) => `${"a".repeat(size * CHARACTERS)}=` },
    parts("one part repeated", () => first),
    parts("distinct parts", letters),
    {
      name: "a part that is nearly at its end all along",
      type: MULTIPART,
      make: (size) => `${part("a")}${"\r\n--".repeat((size * CHARACTERS) / 4)}\r\n--b--\r\n`,
    },
    ...TEXTS.map(([name, text]) => ({
      name: `${name} in every field`,
      type: URLENCODED,
      make: (size: number) => {
        const length = (size * CHARACTERS) / 3 / Math.max(1, Object.keys(valid).length); // a character takes three, encoded
        return new URLSearchParams(Object.keys(valid).map((field) => [field, text(length)])).toString();
      },
    })),
  ];
}

/** Returns JSON of every shape, for a call with this body. */
export function growingJson(valid: unknown): GrowingBody[] {
  const one = JSON.stringify((Array.isArray(valid) ? valid[0] : valid) ?? {});
  const fields = Object.keys(JSON.parse(one));
  const json = (name: string, make: (size: number) => string): GrowingBody => ({ name, type: JSON_TYPE, make });
  const everyField = (value: string) =>
    `{${(fields.length > 0 ? fields : ["a"]).map((field) => `${JSON.stringify(field)}:${value}`)}}`;
  const share = (size: number) => size / Math.max(1, fields.length);
  return [
    json("a list of empty objects", (size) => `[${pieces(size, () => "{}", ",")}]`),
    json("a list of what it takes", (size) => `[${pieces(size, () => one, ",")}]`),
    json("a list of numbers", (size) => `[${pieces(size, () => "0", ",")}]`),
    json("distinct keys", (size) => `{${pieces(size, (index) => `"${letters(index)}":0`, ",")}}`),
    json("one key repeated", (size) => `{${pieces(size, () => `${JSON.stringify(fields[0] ?? "a")}:0`, ",")}}`),
    json("lists in lists", (size) => `${"[".repeat(size)}${"]".repeat(size)}`),
    json("objects in objects", (size) => `${'{"a":'.repeat(size)}0${"}".repeat(size)}`),
    json("lists in lists that do not end", (size) => "[".repeat(size * CHARACTERS)),
    json("lists in lists in every field", (size) => everyField(`${"[".repeat(share(size))}${"]".repeat(share(size))}`)),
    json("a long list in every field", (size) => everyField(`[${pieces(share(size), () => "0", ",")}]`)),
    ...TEXTS.map(([name, text]) =>
      json(`${name} in every field`, (size) => everyField(JSON.stringify(text((share(size) * CHARACTERS) / 2)))),
    ),
    ...fields.map((field) =>
      json(`a long text as ${field}, all else in order`, (size) =>
        JSON.stringify({ ...JSON.parse(one), [field]: TEXTS[1]?.[1](size * CHARACTERS) }),
      ),
    ),
  ];
}

/** Returns the address with a query of every shape. */
export function growingQueries(address: string): GrowingBody[] {
  const begin = address.includes("?") ? `${address}&` : `${address}?`;
  const query = (name: string, make: (size: number) => string): GrowingBody => ({
    name,
    type: "",
    make: (size) => begin + make(size / 8),
  });
  const own = [...new URL(address, "http://localhost").searchParams.keys()];
  return [
    query("one name repeated", (size) => pieces(size, () => `${own[0] ?? "before"}=`, "&")),
    query("distinct names", (size) => pieces(size, (index) => `${letters(index)}=`, "&")),
    query("one long value", (size) => `${own[0] ?? "search"}=${"1".repeat(size * CHARACTERS)}x`),
  ];
}
