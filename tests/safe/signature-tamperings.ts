import { newSigningKey } from "#app/proof/signing-key.ts";
import { signerOf } from "#app/proof/signing-keys.server.ts";
import { KEY_ID } from "#tests/worker/signing-key.ts";
import type { Paper } from "./export-paper.ts";
import { type ExportTampering, moreHundredths, onPaper, type Place, sumUp } from "./export-tampering.ts";

const read = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());
const write = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Adds hours to a record on paper. Returns the header, the claims that fit them, and the signature that does not. */
function moreHours(paper: Paper, { row, next }: Place) {
  row.hundredths += moreHundredths(next);
  sumUp(paper);
  const [header, payload, signature] = paper.statement.split(".");
  const heads = Object.entries(paper.sums).map(([head, hours]) => [
    head === "UT Thk." ? "UT_THK" : head,
    Number(hours),
  ]);
  const sum = { ...(row.head === "Hours" ? {} : Object.fromEntries(heads)), total: Number(paper.total) };
  return { header: read(header), payload: { ...read(payload), sum }, signature };
}

/** Signs with a key of the attacker's. `kid` is the key that the header names. */
async function foreign(header: object, payload: object, kid?: string) {
  const signer = await signerOf({ signingKey: await newSigningKey() });
  if (!signer) throw new Error("a new key cannot be used");
  const signed = `${write({ ...header, kid: kid ?? signer.kid })}.${write(payload)}`;
  const statement = `${signed}.${Buffer.from(await signer.sign(signed)).toString("base64url")}`;
  return { statement, x: signer.x };
}

/** Adds hours on paper with a statement that says so. `make` makes the statement, and what is altered in the database. */
function stated(
  name: string,
  foundBy: ExportTampering["foundBy"],
  make: (claims: ReturnType<typeof moreHours>) => Promise<{ statement: string; statements?: string[] }>,
): ExportTampering {
  return {
    name: `hours and statement: ${name}`,
    foundBy,
    alter: async (place) => {
      const { paper } = place.form;
      const { statement, statements = [] } = await make(moreHours(paper, place));
      return { paper: { ...paper, statement }, statements };
    },
  };
}

const both: ExportTampering["foundBy"] = ["check", "statement"];

/** The ways to alter the statement. */
export const SIGNATURE_TAMPERINGS: ExportTampering[] = [
  stated("the signature is kept", both, async ({ header, payload, signature }) => ({
    statement: `${write(header)}.${write(payload)}.${signature}`,
  })),
  stated("signed with a foreign key", both, ({ header, payload }) => foreign(header, payload)),
  stated("signed with a foreign key under the name of the app's", both, ({ header, payload }) =>
    foreign(header, payload, KEY_ID),
  ),
  stated("not signed", both, async ({ header, payload }) => ({
    statement: `${write({ ...header, alg: "none" })}.${write(payload)}.`,
  })),
  stated("a foreign key in place of the app's in the list", both, async ({ header, payload }) => {
    const { statement, x } = await foreign(header, payload, KEY_ID);
    return { statement, statements: [`UPDATE signing_keys SET x = '${x}' WHERE kid = '${KEY_ID}'`] };
  }),
  onPaper("the statement of another form", ["statement"], (paper, { other }) => {
    paper.statement = other.paper.statement;
  }),
  onPaper("a character of the signature", ["statement"], (paper, { next }) => {
    // Not the last one, of which four bits mean nothing.
    const place = paper.statement.length - 2 - Math.floor(next() * 80);
    const wrong = paper.statement[place] === "A" ? "B" : "A";
    paper.statement = paper.statement.slice(0, place) + wrong + paper.statement.slice(place + 1);
  }),
  {
    name: "in the database: the app's key is removed from the list",
    foundBy: ["statement"],
    alter: ({ form }) => ({ paper: form.paper, statements: ["DELETE FROM signing_keys"] }),
  },
];
