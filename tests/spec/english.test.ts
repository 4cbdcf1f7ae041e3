import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsOf } from "./texts.ts";

/*
 * Refuses turns of phrase that are not plain English in what people read: screens, emails, messages and documents. A text
 * is a string or JSX text with a space in it, or a paragraph, a heading or a cell of a document.
 */

const SOFTWARE =
  "(?:app|client|code|database|executable|outbox|program|records?|replica|server|software|system|timer|version|worker)";

/** Each pattern, a sentence that it refuses, and one near it that passes. */
const REFUSED: [pattern: RegExp, refused: string, passes: string][] = [
  [/^Of [^?]*\.$/, "Of three emails two arrived.", "Two of three emails arrived."],
  [/^Who [^?]*\.$/, "Who knows the password can sign in.", "Who verified this?"],
  [/^What [^?]*\.$/, "What was saved is shown.", "What was wrong?"],
  [/\bnobody\b/i, "Nobody can change it.", "It cannot be changed."],
  [/\bsomebody\b/i, "Somebody asked for it.", "Someone asked for it."],
  [/\bwhoever\b/i, "Whoever has the link can verify.", "Anyone with the link can verify."],
  [/\bany more\b(?! \w+s\b)/i, "It is not valid any more.", "It has not any more pages."],
  [/\banew\b/i, "The code is made anew.", "A new code is made."],
  [/\b(?:am|are|be|been|is|was|were)(?: \w+)? told\b/i, "The owner is told.", "We have told the owner."],
  [/\bstands? (?:in|on)\b/i, "Your name stands on the form.", "Your name appears on the form."],
  [/\bso many\b/i, "It ends after so many days.", "It ends after 30 days."],
  [/\bof (?:yours|theirs|ours)\b/i, "This link of yours has expired.", "Your link has expired."],
  [
    /\b(?:certificates?|tests?) (?:that )?end(?:s|ed)?\b/i,
    "An email comes before a certificate ends.",
    "An email comes before a certificate expires.",
  ],
  [/\bthere is a new one\b/i, "Ask, and there is a new one.", "Request it again to get a new link."],
  [
    new RegExp(`\\b${SOFTWARE} (?:(?:can|could|do|does|must|needs? to|would)(?: not)? )?knows?\\b`, "i"),
    "The executable knows this setting.",
    "The supervisor knows the technician.",
  ],
];

const FILES = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...["app", "self-host", "scripts", "docs"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.(?:tsx?|md)$/.test(name))
      .map((name) => join(folder, name)),
  ),
];

/** The sentences of a text that a pattern refuses. */
function refusedIn(text: string): string[] {
  const sentences = text.split(/(?<=[.!?:]) (?=\p{Lu})/u);
  return sentences.filter((sentence) => REFUSED.some(([pattern]) => pattern.test(sentence)));
}

test("each pattern refuses the one sentence, and no pattern refuses the other", () => {
  for (const [pattern, refused, passes] of REFUSED) {
    expect(refused).toMatch(pattern);
    expect(refusedIn(`It is so. ${refused} It is done.`)).toEqual([refused]);
    expect(refusedIn(passes)).toEqual([]);
  }
});

test("strings, JSX text and prose are texts; SQL, single words and code of documents are not", () => {
  const source = `const a = "Nobody can."; const b = \`Of \${n} none.\`; sql\`SELECT somebody\`; f("nobody"); // not anew`;
  expect(textsOf("a.ts", source)).toEqual(["Nobody can.", "Of … none."]);
  expect(textsOf("a.tsx", "const a = <p>You <b>are told.</b></p>;")).toEqual(["You …", "are told."]);
  const document =
    "# A head\n\nOne line\nof `nobody`.\n\n```sh\nso many # x\n```\n\n| A cell | [A link](of/yours) |\n- An item\n";
  expect(textsOf("a.md", document)).toEqual(["A head", "One line of `…`.", "A cell", "A link", "An item"]);
});

test("the texts that people read are plain English", () => {
  const found = FILES.flatMap((file) =>
    textsOf(file, readFileSync(file, "utf8")).flatMap((text) =>
      refusedIn(text).map((sentence) => `${file}: ${sentence}`),
    ),
  );
  expect(found).toEqual([]);
});
