/*
 * Emails to strangers carry typed text, and a mail client turns anything that looks like an address into a link. So a
 * subject, a greeting and the name beside an address hold only plain names, and in the facts possible links are broken
 * up.
 */

/** The longest name that a subject or a greeting takes, in characters. */
const NAME_MAX = 50;

/** Letters of any script, joined by an apostrophe or a hyphen, as in *Hansen, Jean-Luc O'Brien* … */
const WORD = /^\p{L}\p{M}*(?:['’-]?\p{L}\p{M}*)*,?$/u;
/** … and an initial or a title, as in *Dr. J. Smith*. */
const SHORTENED = /^(?:\p{L}\p{M}*){1,4}\.$/u;

/** Scripts with letters that look alike. No name mixes two of them in a word. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Whether a word is in letters of one script, as far as those of several look alike. */
function isOfOneScript(word: string): boolean {
  return ALIKE.filter((script) => script.test(word)).length <= 1;
}

/** How addresses begin that are written as words. */
const SCHEME = /(?<!\p{L})(?:h[tx]{2}ps?|www)(?!\p{L})/iu;

/**
 * Returns a typed name if it is plain: up to 50 letters, spaces, apostrophes and hyphens. Null without a name, for text that
 * could hold an address, and for a word that mixes scripts, in which one name could pass for another.
 */
export function plainName(name: string | null | undefined): string | null {
  const text = name?.normalize("NFC") ?? "";
  if ([...text].length > NAME_MAX || text !== text.normalize("NFKC")) return null;
  const isName = text.split(" ").every((word) => (WORD.test(word) || SHORTENED.test(word)) && isOfOneScript(word));
  return isName && !SCHEME.test(text) ? text : null;
}

/** Dots, also of other scripts, before what could be a part of a domain name. */
const DOT = /[.。．｡․]+(?=\p{Cf}*[\p{L}\p{N}]*\p{L})/gu;
/** Four numbers or more with such dots between them. Three may be a date or a version, which no client links. */
const IPV4 = /(?<!\p{N})\p{N}+(?:\p{Cf}*[.。．｡․]\p{Cf}*\p{N}+){3,}/gu;
/** What stands in brackets as an IPv6 address does: hexadecimal digits with two colons or more, full-width ones too. */
const IPV6 = /[[［](?:[\p{Cf}\p{N}a-f.]*[:：]){2,}[\p{Cf}\p{N}a-f.]*(?:[%％][\p{L}\p{N}]*)?[\]］]/giu;
/** Colons before a slash; at the end of a word with text right after it, as in `javascript:x`; and after these three words. */
const COLON =
  /[:：](?=\p{Cf}*[/／])|(?<=[\p{L}\p{M}]\p{Cf}*)[:：](?=\p{Cf}*[^\s\p{Cf}])|(?<=(?<!\p{L})(?:mailto|tel|sms)\p{Cf}*\s?)[:：]/giu;

/** Typed text that no mail client turns into a link: `www.example.com` becomes `www[.]example[.]com`. */
export function withoutLinks(text: string): string {
  return text
    .replace(IPV6, (address) => address.replace(/[:：]/gu, "[:]"))
    .replace(IPV4, (address) => address.replace(/[.。．｡․]/gu, "[.]"))
    .replace(DOT, "[.]")
    .replace(COLON, "[:]");
}
