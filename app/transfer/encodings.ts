/*
 * A text file does not say its encoding. UTF-8 and UTF-16 can be recognized for certain; of the others, the one is taken in which
 * the words of the file look most like those of a language that uses it. That is a guess: the preview says it, and offers the
 * others beside the same words.
 */

/** The encodings that are certain, and those that are guessed, the more frequent first. Names as `TextDecoder` has them. */
export const CERTAIN = ["utf-8", "utf-16le", "utf-16be"] as const;
export const GUESSED = ["windows-1252", "windows-1250", "windows-1251", "shift_jis", "macintosh"] as const;
export const ENCODINGS = [...CERTAIN, ...GUESSED] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type GuessedEncoding = (typeof GUESSED)[number];

export const ENCODING_NAMES: Record<GuessedEncoding, string> = {
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  shift_jis: "Japanese (Shift JIS)",
  macintosh: "Western European (Mac Roman)",
};

export function isGuessed(encoding: Encoding | null): encoding is GuessedEncoding {
  return GUESSED.some((one) => one === encoding);
}

/** Words and places of each language that have letters beyond a to z, as they are in logs. They show which letters go together. */
const WESTERN = [
  "münchen köln düsseldorf nürnberg würzburg lübeck göttingen münster prüfung prüfer größe straße maß für käfer märz stück höhe schönefeld österreich später gerät wärme gießen überwachung müngersdorf",
  "méthode durée société équipe contrôle magnétoscopie août février décembre hôpital étienne nîmes béziers orléans besançon île château forêt œuvre où déjà à angoulême mâcon évry sèvres côte rhône donzère flamanville référence français",
  "año españa coruña logroño málaga cádiz león córdoba almería señor inspección ubicación método partículas líquidos día técnico días avilés gijón aceña peñón público",
  "são joão inspeção local método março estação macaé paranaguá maranhão tubarão refinação líquidos técnico três você português setúbal município guimarães manutenção pressão",
  "città più è già perché può attività lunedì venerdì località cantù forlì però qualità",
  "kårstø sløvåg ågotnes tromsø bodø ålesund måløy florø stjørdal prøve prøving måned år kjøre sør østfold bærum lærdal træna æ øy ø å esbjerg køb århus færøyene bjørn på både anlæg værk øst",
  "göteborg malmö västerås örebro linköping norrköping luleå umeå gävle södertälje härnösand växjö kväll år mätning plåt för på är värmeverk jyväskylä päivä työ määrä säiliö kemijärvi äänekoski",
  "reykjavík ísafjörður hafnarfjörður kópavogur þorlákshöfn það ég norðurál fjarðaál geïnspecteerd één coördinatie",
];
const CENTRAL = [
  "łódź gdańsk świnoujście poznań kraków płock wrocław toruń bełchatów kędzierzyn koźle ostrołęka połaniec żerań włocławek puławy prądy grubości elektrociepłownia październik wrzesień grudzień miesiąc ćwiczenia badań częstochowa góra rzeszów wałbrzych słupsk dąbrowa górnicza mińsk zdzieszowice żary święto środa paź kwiecień sierpień łącznie śląsk",
  "plzeň ústí děčín třinec mělník přerov prunéřov tušimice místo říjen září červen květen únor žďár česká břeclav litvínov jaderná zkouška měření tloušťky pondělí úterý středa čtvrtek pátek králové líšeň košice žilina trenčín prešov banská dĺžka štvrtok máj júl október môže šaľa považská skúška",
  "győr százhalombatta tiszaújváros dunaújváros pécs székesfehérvár időpont óra módszer nyíregyháza fűtőmű erőmű vizsgálat műszer örvényáramú felület kőolaj augusztus március",
  "ploieşti piteşti constanţa braşov năvodari galaţi timişoara târgu judeţ încercări şantier bucureşti măsurare reşiţa iaşi în până",
  "šibenik požega varaždin čakovec đakovo četvrtak siječanj veljača ožujak šoštanj krško žužemberk količina rađeno kuća",
];
const CYRILLIC = [
  "сахалин москва омск томск тобольск нижнекамск дата место метод часы контроль толщинометрия капиллярный магнитопорошковый радиография ультразвуковой вихретоковый завод цех трубопровод резервуар сварка шов ноябрь октябрь уфа ямал усть луга электростанция нефтеперерабатывающий объект сосногорск съезд",
  "київ запоріжжя дніпро харків львів місце години рівне південно бурштин кривий ріг є їх ґрунт чорнобиль їжа",
  "бургас пловдив русе варна козлодуй часове държава първи площадка септември",
  "београд панчево смедерево нови сад његош љубав ђорђе ћуприја џеп часови ниш",
];

/** How well letters belong to a language: each letter, and its place beside its neighbours. */
interface Language {
  letters: Set<string>;
  pairs: Set<string>;
}

function languageOf(words: string): Language {
  const pairs = new Set<string>();
  for (const word of words.split(" ")) {
    const marked = `^${word}$`;
    for (let index = 1; index < marked.length; index += 1) pairs.add(marked.slice(index - 1, index + 1));
  }
  return { letters: new Set(words.replace(/[ a-z]/g, "")), pairs };
}

const LANGUAGES: Record<Exclude<GuessedEncoding, "shift_jis">, () => Language[]> = {
  "windows-1252": () => WESTERN.map(languageOf),
  "windows-1250": () => [...CENTRAL, ...WESTERN.slice(0, 1)].map(languageOf),
  "windows-1251": () => CYRILLIC.map(languageOf),
  macintosh: () => WESTERN.map(languageOf),
};

/** How many different words are looked at, and how much of one. */
const WORDS_MAX = 2_000;
const WORD_LENGTH = 60;

/**
 * Words with a byte above ASCII. The characters that separate words cannot be the second byte of a character of
 * Shift-JIS.
 */
const WORD = /[^\0-\x20"(),./:;]*[\x80-\xff][^\0-\x20"(),./:;]*/g;

/**
 * The encoding in which the words of a text look most like words. A letter that the language has counts ½, one that it has not
 * counts -1, and each neighbour beside which the language has it counts ¾ more: `ñ` before an s is no Spanish, but `ń` is Polish.
 * A usual sign, such as °, counts 1. A capital inside a word, and two scripts in one word, count -2, a sign between letters -3, and a byte that means nothing -10.
 * An encoding has the points of its best language, and half of those of words in its other languages. Japanese counts by the
 * bytes: kana, the signs and the frequent kanji are in rows of their own (JIS X 0208). `isLikely` is false if nothing fits.
 */
export function guessEncoding(bytes: Uint8Array): { encoding: GuessedEncoding; isLikely: boolean } {
  const words = wordsIn(bytes);
  const points = GUESSED.map((encoding) =>
    encoding === "shift_jis"
      ? words.reduce((sum, word) => sum + japanesePoints(word), 0)
      : pointsOf(decodeAll(words, encoding), LANGUAGES[encoding]()),
  );
  const best = Math.max(...points);
  return { encoding: GUESSED[points.indexOf(best)] ?? "windows-1252", isLikely: best > 0 };
}

/** The different words with bytes beyond ASCII. */
function wordsIn(bytes: Uint8Array): Uint8Array[] {
  const words = new Set<string>();
  for (const [word] of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .matchAll(WORD)) {
    words.add(word.slice(0, WORD_LENGTH));
    if (words.size >= WORDS_MAX) break;
  }
  return [...words].map((word) => Buffer.from(word, "latin1"));
}

function decodeAll(words: readonly Uint8Array[], encoding: Encoding): string[] {
  return words.map((word) => decode(word, encoding));
}

/** The text of bytes. Node 20, in which unit tests run, takes Windows-1252 for Latin-1 unless it is a stream. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: encoding === "windows-1252" });
}

function pointsOf(words: readonly string[], languages: readonly Language[]): number {
  const byLanguage = languages.map((language) => words.map((word) => wordPoints(word, language)));
  const best = words.map((_, index) => Math.max(...byLanguage.map((own) => own[index] ?? 0)));
  const sums = byLanguage.map((own) =>
    own.reduce((sum, points, index) => sum + Math.max(points, (best[index] ?? 0) / 2), 0),
  );
  return Math.max(...sums);
}

/** Signs that people write beside words and numbers. */
const USUAL = new Set("°–—’‘“”„…«»½¼¾²³µ±×§€£·º№");

function wordPoints(word: string, { letters, pairs }: Language): number {
  const isMixed = /[a-z]/i.test(word) && /\p{Script=Cyrillic}/u.test(word);
  const isLetter = (character: string | undefined) => character !== undefined && /\p{L}/u.test(character);
  let points = 0;
  const characters = [...word];
  for (const [index, character] of characters.entries()) {
    if (character <= "\x7f") continue;
    const [before, after] = [characters[index - 1], characters[index + 1]];
    if (/[\x80-\x9f\ufffd\ue000-\uf8ff]/.test(character)) points -= 10;
    else if (isLetter(character)) {
      const small = character.toLowerCase();
      points += letters.has(small) ? 0.5 : -1;
      if (pairs.has((isLetter(before) ? before?.toLowerCase() : "^") + small)) points += 0.75;
      if (pairs.has(small + (isLetter(after) ? after?.toLowerCase() : "$"))) points += 0.75;
      if (small !== character && before && isLetter(before) && before === before.toLowerCase()) points -= 2;
      if (isMixed) points -= 2;
    } else if (character === "’" && isLetter(after)) points += 2;
    else if (isLetter(before) && isLetter(after)) points -= 3;
    else points += USUAL.has(character) ? 1 : -1;
  }
  return points;
}

/** Points of a word in Shift-JIS, by the first bytes of its characters. */
function japanesePoints(word: Uint8Array): number {
  let points = 0;
  for (let index = 0; index < word.length; index += 1) {
    const first = word[index] ?? 0;
    if (first < 0x80) continue;
    if (first >= 0xa1 && first <= 0xdf) {
      points += 0.25; // katakana of half the width
      continue;
    }
    index += 1;
    const second = word[index] ?? 0;
    if (first === 0x80 || first === 0xa0 || first > 0xef || second < 0x40 || second === 0x7f || second > 0xfc)
      return -10;
    // In Japanese no small Latin letter is beside a kanji.
    const before = word[index - 2];
    if (isSmall(before) || isSmall(word[index + 1]) || (isLatin(before) && isLatin(second))) points -= 4;
    if (first === 0x81) points += 1;
    else if (first === 0x82 || first === 0x83 || (first >= 0x88 && first <= 0x97)) points += isLatin(second) ? 1.5 : 3;
    else points -= 1;
  }
  return points;
}

function isLatin(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z]/.test(String.fromCharCode(byte));
}

function isSmall(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}

/** Words of a file in each encoding that it may have: those that are `places` in its present encoding, or else the first ones. */
export function encodingSamples(
  bytes: Uint8Array,
  encoding: GuessedEncoding,
  places: readonly string[],
): { encoding: GuessedEncoding; name: string; sample: string }[] {
  const words = wordsIn(bytes);
  const ofPlaces = decodeAll(words, encoding);
  const named = words.filter((_, index) => places.some((place) => place.includes(ofPlaces[index] ?? "\0")));
  const shown = (named.length > 0 ? named : words).slice(0, 3);
  return GUESSED.map((one) => ({
    encoding: one,
    name: ENCODING_NAMES[one],
    sample: decodeAll(shown, one)
      .join(", ")
      .replace(/[\x80-\x9f]/g, "\ufffd"),
  }));
}
