import { addDays } from "#app/calendar-date.ts";
import { FORM_METHODS, type Via } from "#app/db/enumerations.ts";

/**
 * The same log in each language. Polish needs letters of two font files in one word, Japanese needs dozens of files.
 */
const LOGS = {
  English: {
    sites: ["Mongstad refinery", "Kårstø gas plant", "Grangemouth refinery", "Hangar 4, Stavanger", "Prestwick"],
    places: ["crude unit", "piping rack", "heat exchanger", "tank", "splash zone", "wing spar", "flare line"],
    verifiers: ["Ingrid Solheim", "Marcus Reed", "Piet van der Berg"],
  },
  Polish: {
    sites: ["Rafineria Gdańska", "Płock, zakład główny", "Świnoujście", "Hangar 4, Łódź", "Bełchatów"],
    places: ["kolumna próżniowa", "wymiennik ciepła", "zbiornik ciśnieniowy", "rurociąg", "dźwigar skrzydła", "śluza"],
    verifiers: ["Małgorzata Wójcik", "Stanisław Źdźbło", "Grażyna Brzęczyszczykiewicz"],
  },
  Greek: {
    sites: ["Διυλιστήριο Ελευσίνας", "Ασπρόπυργος", "Πειραιάς, ναυπηγείο", "Υπόστεγο 4, Θεσσαλονίκη", "Αλιβέρι"],
    places: ["μονάδα αργού", "εναλλάκτης θερμότητας", "δεξαμενή", "αγωγός πυρσού", "δοκός πτέρυγας"],
    verifiers: ["Ελένη Παπαδοπούλου", "Γιώργος Νικολαΐδης", "Μαρία Οικονόμου"],
  },
  Russian: {
    sites: ["Новороссийск, причал №5", "Ижорский завод", "Киришский НПЗ", "Ангар 4, Шереметьево", "Ухта"],
    places: ["установка перегонки", "теплообменник", "резервуар", "трубопровод", "лонжерон крыла", "факел"],
    verifiers: ["Дмитрий Щербаков", "Татьяна Преображенская", "Юрий Цыганов"],
  },
  Japanese: {
    sites: ["根岸製油所", "千葉県市原市、石油化学工場", "神戸造船所", "羽田空港第4格納庫", "苫小牧発電所"],
    places: ["常圧蒸留塔", "配管ラック", "熱交換器", "貯蔵タンク", "飛沫帯", "主翼の桁", "フレア管"],
    verifiers: ["鈴木一郎", "佐藤 美咲", "高橋健太"],
  },
} satisfies Record<string, { sites: string[]; places: string[]; verifiers: string[] }>;

export type Language = keyof typeof LOGS;

export const LANGUAGES = Object.keys(LOGS) as Language[]; // the keys of an object that is written here

/** A log of verified entries in one language, as an export prints it. Locations, dates, methods and hours are as many in each. */
export function verifiedLog(language: Language, count: number) {
  const { sites, places, verifiers } = LOGS[language];
  const nth = (list: string[], index: number) => list[index % list.length] ?? "";
  return Array.from({ length: count }, (_, index) => {
    const date = addDays("2025-01-01", index);
    const batch = Math.floor(index / 10);
    const isByMailbox = batch % 3 !== 2;
    return {
      id: index + 1,
      date,
      location: `${nth(sites, index)}, ${nth(places, Math.floor(index / 3))} ${index + 1}`,
      method: FORM_METHODS[index % FORM_METHODS.length] ?? ("ET" as const),
      hours: 0.13 + (index % 60) / 8,
      verified: true as const,
      verifiedBy: nth(verifiers, batch),
      verifiedVia: (isByMailbox ? "mailbox" : "link") as Via,
      domain: isByMailbox ? "inspection.example" : null,
      createdAt: `${addDays(date, index % 3)}T18:00:00Z`,
      verifiedAt: `${addDays(date, 12 - (index % 10))}T08:00:00Z`,
      certification: isByMailbox ? { scheme: "PCN", level: "Level III", number: `31${batch}-7` } : null,
    };
  });
}

/** The names of a PDF's fonts, once for each time that a font is embedded. */
export function embeddedFonts(pdf: Uint8Array): string[] {
  const dictionaries = Buffer.from(pdf).toString("latin1");
  // The name of a subset of a font begins with six letters.
  return [...dictionaries.matchAll(/\/FontName \/[A-Z]+\+(\S+)[^>]*\/FontFile[23] /g)].map(([, name = ""]) => name);
}
