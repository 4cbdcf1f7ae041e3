import { isLink } from "./links.ts";

/*
 * Emails to strangers carry typed text, and a mail client turns anything that looks like an address into a link. So a
 * subject, a greeting and the name beside an address hold only plain names, and in the facts possible links are broken
 * up.
 */

/** The longest name that a subject or a greeting takes, in characters. */
const NAME_MAX = 60;

/** The apostrophes that keyboards and word processors type, also those of Hebrew and Armenian. */
const APOSTROPHES = "'’‘´`′׳״՚";
/**
 * A character that joins the letters of a word: *O'Brien*, *Jean-Luc*, *J.P.*, *Dr.-Ing.*, *Smith,Jr.*, *ジョン・スミス*,
 * *Gal·la*.
 */
const JOINER = `[${APOSTROPHES}.,،·・•‐‑–-]`;
/** A letter; a joiner of letters can follow it that no one sees, as in Persian and in scripts of India. */
const LETTER = "\\p{L}\\p{M}*[\\u200c\\u200d]?";
const WORD = new RegExp(
  `^[("“]?[${APOSTROPHES}]?${LETTER}(?:${JOINER}{0,2}${LETTER})*(?:\\((?:${LETTER})+\\))?[${APOSTROPHES}]?[.]?[)"”]?[,،]?$`,
  "u",
);
/** Other words of a name: *A/L* (son of), *م/* (engineer), *মো:* (Mohammed), *&*, *@* (alias), a hyphen, *2nd*, *L2*. */
const OTHER_WORD =
  /^(?:\p{L}\/\p{L}?\.?|(?:(?!\p{Script=Latin})\p{L}\p{M}*){1,3}:|[&@–-]|\d(?:st|nd|rd|th)\.?|\p{Script=Latin}{0,3}\d)$/iu;

/** Scripts with letters that look alike. No name mixes two of them in a word. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Whether a word is in letters of one script, as far as those of several look alike. These scripts join letters visibly. */
function isOfOneScript(word: string): boolean {
  const scripts = ALIKE.filter((script) => script.test(word)).length;
  return scripts === 0 || (scripts === 1 && !/[\u200c\u200d]/u.test(word));
}

/** How addresses begin that are written as words. */
const SCHEME = /(?<!\p{L})(?:h[tx]{2}ps?|www)(?!\p{L})/iu;

/** Marks of the direction of writing, which are pasted with a name and change none of its letters. */
const DIRECTION = /[\u200e\u200f\u061c]/gu;
/** An initial or a title with the word after it, where both look like an address: `J.de`, `M.Sc`. */
const INITIAL = /(?<![\p{L}\p{M}])(?:\p{Lu}|Dipl|Dr|Mrs?|Ms|Prof)\.(?=\p{L}{2})/gu;
/**
 * The first character behind the Latin letters of languages: a later one that looks like such a letter is a disguise.
 */
const AFTER_LATIN = /[\u{250}-\u{10ffff}]/gu;

function hasDisguise(text: string): boolean {
  return /[a-z]/iu.test((text.match(AFTER_LATIN) ?? []).join("").normalize("NFKC"));
}

/** A word with a space after an initial that would make an address: `J. de`. */
function spaced(word: string): string {
  return isLink(word) ? word.replace(INITIAL, "$& ") : word;
}

/**
 * Returns a typed name if it is one: up to 60 letters, with what people write between them. Spaces are single, and after an
 * initial that would make an address one is added: `J. de Boer`. Null without a name, for text that a mail program could make
 * a link of, and for a word that mixes scripts, in which one name could pass for another.
 */
export function plainName(name: string | null | undefined): string | null {
  const text = (name?.normalize("NFC") ?? "").replace(DIRECTION, "").replace(/\p{Zs}+/gu, " ");
  if ([...text].length > NAME_MAX || hasDisguise(text) || SCHEME.test(text)) return null;
  const words = text.split(" ").map(spaced);
  const isName = words.every(
    (word) => word.split(" ").every((part) => WORD.test(part) || OTHER_WORD.test(part)) && isOfOneScript(word),
  );
  return isName && !words.join(" ").split(" ").some(isLink) ? words.join(" ") : null;
}

/** Dots, also of other scripts, before what could be a part of a domain name. */
const DOT = /[.。．｡․]+(?=\p{Cf}*[\p{L}\p{N}]*\p{L})/gu;
/** Four numbers or more with such dots between them. Three may be a date or a version, which no client links. */
const IPV4 = /(?<!\p{N})\p{N}+(?:\p{Cf}*[.。．｡․]\p{Cf}*\p{N}+){3,}/gu;
/**
 * Text in brackets that looks like an IPv6 address: hexadecimal digits with two colons or more, full-width ones too.
 */
const IPV6 = /[[［](?:[\p{Cf}\p{N}a-f.]*[:：]){2,}[\p{Cf}\p{N}a-f.]*(?:[%％][\p{L}\p{N}]*)?[\]］]/giu;
/** Words before a colon with text right after it, of which mail programs make a link: `javascript:x`. Not *Hall:3* … */
const SCHEMES = schemes(
  "https? hxxps? ftp file mailto tel sms smsto facetime geo javascript callto sips? skype webcal",
);
/** … and those that are one before a space, too. */
const SPACED_SCHEMES = schemes("mailto tel sms");

/** The pattern of these words, also in full-width letters. */
function schemes(words: string): string {
  const wide = words.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
  return `(?<!\\p{Script=Latin})(?:${`${words} ${wide}`.replaceAll(" ", "|")})\\p{Cf}*`;
}

/** Colons before a slash, and after those words. */
const COLON = new RegExp(
  `[:：](?=\\p{Cf}*[/／])|(?<=${SCHEMES})[:：](?=\\p{Cf}*[^\\s\\p{Cf}])|(?<=${SPACED_SCHEMES}\\s?)[:：]`,
  "giu",
);

/**
 * Returns typed text that no mail client turns into a link: `www.example.com` becomes `www[.]example[.]com`, `J.de
 * Boer` has a space after its initial. Text that no client turns into a link stays as it is written.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(IPV6, (address) => address.replace(/[:：]/gu, "[:]"))
    .replace(IPV4, (address) => address.replace(/[.。．｡․]/gu, "[.]"))
    .replace(/\S+/gu, (word) =>
      spaced(word).replace(/\S+/gu, (part) => (isLink(part) ? part.replace(DOT, "[.]") : part)),
    )
    .replace(COLON, "[:]");
}
