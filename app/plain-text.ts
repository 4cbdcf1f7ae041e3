import punycode from "punycode.js";

/*
 * Typed text as it is stored, compared and searched. For the server's schemas and the browser's checks it loses control
 * characters and characters that change the direction of text. Emoji, and the joiners inside Arabic, Persian or Hindi words,
 * stay.
 */

/** Characters that change the direction of the text after them. Right-to-left scripts do not need them. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

/** A letter, digit, punctuation mark or symbol, except those that are invisible, such as U+3164 or U+2800. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|[\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns a text with the plain space and hyphen in place of others that a keyboard, a spreadsheet or a web page writes
 * (no-break, narrow, ideographic): they look alike, and a font may lack them.
 */
export function plainSpaces(text: string): string {
  return text.replace(/\p{Zs}/gu, " ").replace(/[\u2010-\u2012]/g, "-");
}

/** Text as one line: each run of control characters and unpaired surrogates becomes a space. */
export function oneLine(text: string): string {
  return plainSpaces(text)
    .replace(DIRECTIONS, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .trim();
}

/** The same for text of several lines, with LF as line end. Forms send CR LF, JSON may not. */
export function lines(text: string): string {
  return plainSpaces(text)
    .replace(DIRECTIONS, "")
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, "\n")
    .replace(/[^\P{Cc}\n]|\p{Cs}/gu, " ")
    .trim();
}

/** An email address before its domain is written in ASCII. The last label is a word, or the code of one. */
export const EMAIL =
  /^(?:[a-z0-9_'+&/=!#$*~-]+\.)*[a-z0-9_'+&/=!#$*~-]*[a-z0-9_+&/=!#$*~-]@(?:[a-z0-9\u0080-\uffff][a-z0-9\u0080-\uffff-]*\.)+(?:xn--[a-z0-9-]+|[a-z\u0080-\uffff]{2,})$/;

/** The longest address that SMTP can have (RFC 5321, 4.5.3.1.3, without the brackets). */
export const ADDRESS_MAX = 254;

/** Invisible characters that a copied address may have: IDNA maps them to nothing. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** The address in what an email program copies with its name: `Ola Hansen <ola@firm.example>`. Any other text as it is. */
export function addressIn(text: string): string {
  return /^[^<>]*<([^<>]+)>[\s,;]*$/.exec(text)?.[1]?.trim() ?? text;
}

/** A typed or pasted email address as it is stored: in lower case, and with the domain as the DNS has it. */
export function emailAddress(text: string): string {
  const address = addressIn(oneLine(text)).replace(UNSEEN, "").toLowerCase();
  const at = address.lastIndexOf("@");
  return at < 0 ? address : `${address.slice(0, at)}@${asciiDomain(address.slice(at + 1))}`;
}

export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Gmail's two domains are one, and it ignores dots before the @. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox that an address reaches, to compare addresses and to count limits: without case and without a tag after a `+`
 * before the @, and with the domain as the DNS has it (`xn--…`, no dot at the end). Emails go to the address itself, never
 * to this.
 */
export function normalizeMailbox(address: string): string {
  const text = address.normalize("NFKC").toLowerCase();
  const at = text.lastIndexOf("@");
  const domain = asciiDomain(text.slice(at + 1)).replace(/\.+$/, "");
  const local = text.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

/**
 * Returns the beginning of every stored address of a mailbox (`normalizeMailbox`), to find them by an index. Stored
 * addresses are in lower case and ASCII (`email` in app/forms/fields.ts): one that another program wrote in another way
 * is not found. In Gmail's, dots may follow the first letter.
 */
export function commonStart(mailbox: string): string {
  const [local = "", domain = ""] = mailbox.split("@");
  return GMAIL.includes(domain) ? local.slice(0, 1) : local;
}

/** The longest name that the DNS can have. The time to write a longer one in ASCII would grow with its square. */
const DOMAIN_MAX = 253;

/**
 * A domain in lower case as the DNS has it: a label in another script is `xn--` and its code (RFC 3492). Not by the URL
 * parser of the platform, which differs between versions.
 */
function asciiDomain(domain: string): string {
  return domain.length > DOMAIN_MAX ? domain : punycode.toASCII(domain.normalize("NFKC"));
}

/** Whether an email can be sent to this address, as it is stored: by its form, its length and what the DNS can have. */
export function isPossibleAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return EMAIL.test(address) && address.length <= ADDRESS_MAX && domain.split(".").every(isPossibleLabel);
}

/** Whether the DNS can have this label of a domain (RFC 1123, 2.1), which is in lower case. */
function isPossibleLabel(label: string): boolean {
  if (label.length > 63 || label.startsWith("-") || label.endsWith("-")) return false;
  if (!label.startsWith("xn--")) return true;
  try {
    // The code must be that of a label in lower case that needs one.
    return punycode.toASCII(punycode.toUnicode(label).toLowerCase()) === label;
  } catch {
    return false; // it decodes to nothing
  }
}

/** The maximum length of a search text: `times` the length of its source, but not less than `least`. */
const LONGEST = { times: 2, least: 100 };

/** Letters with a mark that Unicode does not take apart, as people type them without it. */
const PLAIN: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  æ: "ae",
  œ: "oe",
  ß: "ss",
  þ: "th",
};
/** The letters of `PLAIN`, written out: a bundler keeps an expression that it must run, also on pages that never search. */
const MARKED = /[łøđðħıæœßþ]/g;

/**
 * Returns the text in which a search looks: normalised (NFKC), in lower case, without accents and with one kind of dash
 * and of quotation mark, so that `ŁÓDŹ` and `lodz` find `łódź`. It is stored in the row, because SQLite's lower() only
 * changes ASCII. Text that NFKC makes much longer is cut (U+FDFA becomes 18 characters), because D1 allows no value
 * over 2 MB.
 */
export function searchText(...parts: (string | null)[]): string {
  const text = parts.filter(Boolean).join("\n");
  const longest = Math.max(LONGEST.least, LONGEST.times * text.length);
  // Not between the halves of a surrogate pair.
  return text
    .replace(/[‘’‚‛´`ʼ′]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[\p{Pd}−]/gu, "-")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(MARKED, (letter) => PLAIN[letter] ?? letter)
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
