/*
 * What people type goes into emails to strangers, and a mail client makes a link of whatever looks like one. So a
 * subject, a greeting and the name beside an address have no typed text but a name that can be nothing else; and in the
 * facts, where every character counts, whatever could become a link is broken.
 */

/** The longest name that a subject or a greeting takes, in characters. */
const NAME_MAX = 50;

/** Letters of any script, joined by an apostrophe or a hyphen, as in *Hansen, Jean-Luc O'Brien* … */
const WORD = /^\p{L}\p{M}*(?:['’-]?\p{L}\p{M}*)*,?$/u;
/** … and an initial or a title, as in *Dr. J. Smith*. */
const SHORTENED = /^(?:\p{L}\p{M}*){1,4}\.$/u;

/** How addresses begin that are disguised as words. */
const SCHEME = /(?<!\p{L})(?:h[tx]{2}ps?|www)(?!\p{L})/iu;

/**
 * A name as a person typed it, if it is one: up to 50 letters, spaces, apostrophes and hyphens. Null for anything in
 * which an address could hide, also in letters that only look like plain ones, and for no name at all.
 */
export function plainName(name: string | null | undefined): string | null {
  const text = name?.normalize("NFC") ?? "";
  if ([...text].length > NAME_MAX || text !== text.normalize("NFKC")) return null;
  const isName = text.split(" ").every((word) => WORD.test(word) || SHORTENED.test(word));
  return isName && !SCHEME.test(text) ? text : null;
}

/** Dots as addresses have them, also the ones of other scripts, in front of what could be the name of a domain. */
const DOT = /[.。．｡․]+(?=\p{Cf}*[\p{L}\p{N}]*\p{L})/gu;
/** Colons in front of two slashes, also wide ones. */
const COLON = /[:：](?=\p{Cf}*[/／])/gu;

/** Typed text in which no mail client finds an address: `www.example.com` becomes `www[.]example[.]com`. */
export function withoutLinks(text: string): string {
  return text.replace(DOT, "[.]").replace(COLON, "[:]");
}
