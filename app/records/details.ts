import { z } from "zod";
import { LEVELS } from "#app/db/enumerations.ts";
import { characters, TEXT_MAX } from "#app/forms/fields.ts";
import { isBlank, lines, oneLine } from "#app/plain-text.ts";

/**
 * A value that a technician can add to a job besides the fields that every record of the kind has: an employer, a job
 * number. All details are optional texts, stored together in `details` of the record's JSON. To add one, add a row
 * here: forms, JSON, import, export, the supervisor's page and the record's hash follow.
 */
export interface Detail {
  /** In JSON, and of its column in a file. */
  readonly name: string;
  readonly label: string;
  /** The words to choose from, if it is not any text. */
  readonly choices?: readonly string[];
  /** The column that has its value too, so that SQL can filter by it. */
  readonly stored?: "subtype" | "level";
  /** The most characters; then it can have several lines. `TEXT_MAX` without it. */
  readonly max?: number;
  /** Whether a new record without it gets the level of the technician's certificate on that day (content.server.ts). */
  readonly isFilled?: true;
  /** As `Field.headings`. */
  readonly headings: readonly string[];
}

/** A detail as a form needs it. */
export type FormDetail = Omit<Detail, "headings" | "stored">;

/** The details of a record by name, in the order of its kind, without those that are absent. */
export type Details = { readonly [name: string]: string };

/** The headings of a client's column: it says the place if no column does, else it is a note, if no other column is. */
export const CLIENT_HEADINGS = [
  ...["client", "customer"],
  ...["opdrachtgever", "klant", "auftraggeber", "kunde"],
  ...["donneur d ordre", "maitre d ouvrage", "cliente", "contratante"],
  ...["zleceniodawca", "klient", "oppdragsgiver"],
];

const EMPLOYER: Detail = {
  name: "employer",
  label: "Employer",
  headings: [
    ...["employer", "company", "firm", "employed by", "werkgever", "bedrijf", "arbeitgeber", "firma", "unternehmen"],
    ...["employeur", "entreprise", "societe", "empleador", "empresa", "empregador", "pracodawca", "arbeidsgiver"],
    "bedrift",
  ],
};
const JOB_NUMBER: Detail = {
  name: "jobNumber",
  label: "Job or report No.",
  headings: [
    ...["job number", "job no", "job", "report number", "report no", "work order", "order number", "rapportnummer"],
    ...["rapport nr", "rapportnr", "opdrachtnummer", "ordernummer"],
    ...["werkordernummer", "projectnummer", "berichtsnummer"],
    ...["berichtnummer", "bericht nr", "prufbericht", "prufberichtsnummer", "prufbericht nr", "auftragsnummer"],
    ...["auftrag nr", "numero de rapport", "no de rapport", "n de rapport", "rapport", "numero de informe"],
    ...["no de informe", "n de informe", "informe", "numero do relatorio", "no do relatorio", "n do relatorio"],
    ...["relatorio", "numer raportu", "nr raportu", "raport", "numer zlecenia", "nr zlecenia", "ordrenummer"],
    ...["jobbnummer", "prosjektnummer"],
  ],
};
const NOTE: Detail = {
  name: "note",
  label: "Note",
  max: 1_000,
  headings: [
    ...["note", "notes", "remark", "remarks", "comment", "comments", "opmerkingen", "opmerking", "bemerkungen"],
    ...["bemerkung", "anmerkungen", "anmerkung", "kommentar", "kommentare", "remarques", "remarque", "commentaires"],
    ...["commentaire", "observaciones", "observacion", "comentarios", "comentario", "notas", "nota", "observacoes"],
    ...["observacao", "uwagi", "uwaga", "komentarz", "merknader", "merknad", "kommentarer", "bemerkninger"],
    // A client is not the employer.
    ...CLIENT_HEADINGS,
  ],
};

export const ENTRY_DETAILS: readonly Detail[] = [
  EMPLOYER,
  JOB_NUMBER,
  {
    name: "sector",
    label: "Product or industrial sector",
    headings: ["sector", "industrial sector", "product sector", "industry", "sektor", "branche", "secteur", "setor"],
  },
  {
    name: "testObject",
    label: "Test object",
    headings: [
      ...["test object", "object", "component", "part", "item", "weld", "onderdeel", "werkstuk", "prufobjekt"],
      ...["prufgegenstand", "bauteil", "objekt", "objet", "piece", "objeto", "pieza", "peca", "obiekt", "prøveobjekt"],
    ],
  },
  { name: "technique", label: "Technique", headings: ["technique"] },
  {
    name: "procedure",
    label: "Procedure or instruction No.",
    headings: [
      ...["procedure", "procedure no", "procedure number", "instruction", "instruction no", "specification"],
      ...["werkinstructie", "prozedur", "prufanweisung", "procedimiento", "procedimento", "procedura", "prosedyre"],
    ],
  },
  {
    name: "equipment",
    label: "Equipment",
    headings: [
      ...["equipment", "instrument", "apparatuur", "apparaat", "gerat", "prufgerat", "appareil", "equipement"],
      ...["equipo", "equipamento", "sprzet", "aparat", "utstyr"],
    ],
  },
  {
    name: "workedAs",
    label: "Worked as",
    choices: LEVELS,
    isFilled: true,
    stored: "level",
    headings: ["worked as", "level worked as", "worked as level"],
  },
  { name: "role", label: "Role", choices: ["observed", "assisted", "performed"], headings: ["role"] },
  NOTE,
];

export const ROPE_DETAILS: readonly Detail[] = [
  EMPLOYER,
  JOB_NUMBER,
  { name: "industry", label: "Industry", headings: ["industry", "sector"] },
  { name: "structure", label: "Structure", headings: ["structure"] },
  { name: "tasks", label: "Tasks", headings: ["tasks"] },
  { name: "purpose", label: "Purpose", choices: ["work", "training"], stored: "subtype", headings: ["purpose"] },
  NOTE,
];

/** Returns the part of the details that a form needs, which is sent to islands. */
export function formDetails(details: readonly Detail[]): FormDetail[] {
  return details.map(({ headings: _, stored: _column, ...detail }) => detail);
}

/** The details of a body: all of them optional, blank ones absent. An unknown name is refused. */
export function detailsSchema(details: readonly Detail[]) {
  const names = details.map(({ name }) => name).join(", ");
  const refused = `Details are an object with some of ${names}`;
  return z
    .strictObject(Object.fromEntries(details.map((detail) => [detail.name, textOf(detail).nullish()])), {
      error: refused,
    })
    .nullish()
    .transform((sent): Details => {
      const given = sent ?? {};
      return Object.fromEntries(
        details.flatMap(({ name }): [string, string][] => (given[name] ? [[name, given[name]]] : [])),
      );
    });
}

const PREFIX = "details.";

/**
 * A body in which details may have the names of a form, `details.employer`, with all of them in `details`. A browser's queue
 * sends the fields of a form as they are: its service worker has no room to sort them.
 */
export function withNestedDetails(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const named = Object.entries(body).filter(([name]) => name.startsWith(PREFIX));
  if (named.length === 0) return body;
  return { ...body, details: Object.fromEntries(named.map(([name, value]) => [name.slice(PREFIX.length), value])) };
}

/** The rule of one of these details by its name. */
export function detailText(details: readonly Detail[], name: string) {
  const detail = details.find((one) => one.name === name);
  if (!detail) throw new Error(`there is no detail ${name}`);
  return textOf(detail);
}

/** The text of a detail, "" for a blank one. */
function textOf({ label, choices, max }: Detail) {
  return z
    .string({ error: `${label} must be text` })
    .meta(choices ? { enum: [...choices, ""] } : { maxLength: max ?? TEXT_MAX })
    .transform((sent) => {
      const value = max ? lines(sent) : oneLine(sent);
      if (isBlank(value)) return "";
      return choices?.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
    })
    .refine((value) => !choices || value === "" || choices.includes(value), {
      message: `${label} must be one of ${choices?.join(", ")}`,
    })
    .refine((value) => characters(value) <= (max ?? TEXT_MAX), {
      message: `${label} must be at most ${(max ?? TEXT_MAX).toLocaleString("en")} characters`,
    });
}

/** The level that a record got when it was saved, as a short text: `Worked as Trainee`. Null without one. */
export function filledText(details: readonly Detail[], values: Details = {}): string | null {
  const detail = details.find(({ isFilled }) => isFilled);
  const value = detail && values[detail.name];
  return value ? `${detail.label} ${value}` : null;
}

/** The labels and values of the details that a record has. */
export function shownDetails(details: readonly Detail[], values: Details = {}): { label: string; typed: string }[] {
  return details.flatMap(({ name, label }) => {
    const typed = values[name];
    return typed ? [{ label, typed }] : [];
  });
}
