import { type Column, getTableColumns } from "drizzle-orm";
import { type Execute, idsAfter } from "#app/db/client.server.ts";
import { hexSql, verificationLog } from "#app/db/schema.ts";
import { type KindAndRecord, recordFromRow } from "#app/records/any-record.server.ts";
import { contentOf } from "#app/records/content.server.ts";
import type { Details } from "#app/records/details.ts";
import type { Kind, RecordWithOwner, Stored } from "#app/records/kind.ts";
import { CONTENT, type RecordRow, records } from "#app/records/records.table.ts";
import type { StoredEvent } from "./event-hash.server.ts";
import { FACTS_OF_EVENT } from "./log.server.ts";

/*
 * Reads what the check of the log compares, in pages to limit memory. Drizzle itself is not used for the statements,
 * because `wrangler` runs SQL without bindings.
 */

type Row = Record<string, string | number | null>;

const PAGE = 1_000;

/** Iterates over a list that is read in pages. */
export class Walk<Item> {
  /** The current item; null after the end. */
  at: Item | null = null;
  readonly #readAfter: (last: Item | null) => Promise<Item[]>;
  #page: Item[] = [];
  #index = 0;

  constructor(readAfter: (last: Item | null) => Promise<Item[]>) {
    this.#readAfter = readAfter;
  }

  async next(): Promise<void> {
    if (this.#index === this.#page.length) {
      this.#page = await this.#readAfter(this.at);
      this.#index = 0;
    }
    this.at = this.#page[this.#index] ?? null;
    this.#index += 1;
  }
}

/** An event with the id that counts the events of all records. */
export type CheckedEvent = StoredEvent & { id: number };

const EVENT_COLUMNS = getTableColumns(verificationLog);

const EVENTS = `SELECT ${Object.values(EVENT_COLUMNS)
  .map(({ name, columnType }) => (columnType === "SQLiteCustomColumn" ? `${hexSql(name)} AS ${name}` : name))
  .join(", ")}, ${FACTS_OF_EVENT} AS facts FROM verification_log`;

/** The page of events after `last`, by record and number, without those after the id `top`. */
export function eventsAfter(execute: Execute, last: Pick<CheckedEvent, "recordId" | "number">, top: number) {
  return readEvents(
    execute,
    `${EVENTS} WHERE (record_id, number) > (${last.recordId}, ${last.number}) AND id <= ${top}
      AND max(record_id, number) <= ${Number.MAX_SAFE_INTEGER} ORDER BY record_id, number LIMIT ${PAGE}`,
  );
}

export function eventsOf(execute: Execute, id: number): Promise<CheckedEvent[]> {
  return readEvents(execute, `${EVENTS} WHERE record_id = ${id} ORDER BY number`);
}

async function readEvents(execute: Execute, sql: string): Promise<CheckedEvent[]> {
  const rows = await read<CheckedEvent & { facts: string }>(execute, EVENT_COLUMNS, sql);
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) }));
}

/** A request for a record, by what the check of the log compares. Times are in milliseconds since 1970. */
export interface AskingRequest {
  createdAt: number;
  endedAt: number | null;
  /** Whether it is the record's own, which can go to another supervisor while it is open. */
  isOwn: boolean;
  /** Whether it has the name or the address of its supervisor. */
  isNamed: boolean;
}

/** The facts that the check of the log compares a record with. */
interface Audited {
  /** Whether a request for it says that it was verified. */
  isAnswered: boolean;
  /** Whether the answer that verified it has the name that was typed. */
  isAnswerNamed: boolean;
  /** The address of the request that has verified it. */
  mailbox: string | null;
  /** The columns that are not what its fields make of them: copies that are sorted and summed by, and those of other kinds. */
  differing: string;
  /** Whether the JSON of its fields is as the app writes it. */
  isCanonical: boolean;
}

export type AuditedRecord = KindAndRecord<RecordWithOwner & Audited> & { requests: AskingRequest[] };

/**
 * Whether a request for the record has an item that was verified when the record was, by an answer with its name, and whether
 * that answer has the name still; NULL without such an answer. Item and answer last as long as the record, because only the
 * deletion of the record and of its owner delete them; when a supervisor is erased, they stay, and the answer loses its name.
 */
const IS_ANSWER_NAMED = `(SELECT max(answer.name IS NOT NULL) FROM verification_items AS item
    JOIN verification_requests AS request ON request.id = item.request_id AND request.user_id = records.user_id
    JOIN verification_answers AS answer ON answer.id = item.answer_id AND answer.request_id = item.request_id
    WHERE item.record_id = records.id AND item.state = 'verified' AND item.decided_at = records.verified_at
      AND coalesce(answer.name, records.verified_by) = records.verified_by AND answer.via = records.verified_via)`;

/** The address of the request that has verified the record, as `VERIFYING_MAILBOX` has it. */
const MAILBOX = `(SELECT supervisor_email FROM verification_requests AS request
    JOIN verification_items AS item ON item.request_id = request.id
    WHERE item.record_id = records.id AND item.state = 'verified')`;

/** The requests for a record, as JSON lists of the fields of `AskingRequest`. */
const REQUESTS = `(SELECT json_group_array(json_array(request.created_at, request.ended_at,
      request.own_record_id IS records.id, coalesce(supervisor_email, supervisor_name) IS NOT NULL))
    FROM verification_items AS item JOIN verification_requests AS request ON request.id = item.request_id
    WHERE item.record_id = records.id)`;

/** The page of records after the one with the id `last`, by id, with those that their owner can still restore. */
export function recordsAfter(execute: Execute, last: number): Promise<AuditedRecord[]> {
  return readRecords(execute, `${idsAfter("id", last)} ORDER BY id LIMIT ${PAGE}`);
}

export async function recordById(execute: Execute, id: number): Promise<AuditedRecord | null> {
  const [record] = await readRecords(execute, `id = ${id}`);
  return record ?? null;
}

/** All columns but `fields`, whose text is compared as it is stored. */
const { fields: _, ...RECORD_COLUMNS } = getTableColumns(records);

interface FoundRecord extends Omit<RecordRow, "fields"> {
  /** JSON. */
  fields: string;
  owner: string;
  isAnswerNamed: number | null;
  mailbox: string | null;
  /** JSON. */
  requests: string;
}

async function readRecords(execute: Execute, where: string): Promise<AuditedRecord[]> {
  const rows = await read<FoundRecord>(
    execute,
    RECORD_COLUMNS,
    `SELECT *, (SELECT lower(hex(owner)) FROM users WHERE users.id = records.user_id) AS owner,
      ${IS_ANSWER_NAMED} AS isAnswerNamed, ${MAILBOX} AS mailbox, ${REQUESTS} AS requests FROM records WHERE ${where}`,
  );
  return rows.map(({ isAnswerNamed, mailbox, requests, fields: json, ...stored }) => {
    const row = { ...stored, fields: parseFields(json) };
    const { kind, record } = recordFromRow({ ...row, status: "pending" }); // a check does not compare the status
    const audited: Audited = {
      isAnswered: isAnswerNamed !== null,
      isAnswerNamed: isAnswerNamed === 1,
      mailbox,
      differing: differingOf(kind, row, record),
      isCanonical: json === fieldsJson(kind, record),
    };
    return { kind, record: { ...record, ...audited }, requests: requestsFrom(requests) };
  });
}

function requestsFrom(json: string): AskingRequest[] {
  const lists = JSON.parse(json) as [createdAt: number, endedAt: number | null, isOwn: 0 | 1, isNamed: 0 | 1][]; // `REQUESTS`
  return lists.map(([createdAt, endedAt, isOwn, isNamed]) => ({
    ...{ createdAt, endedAt, isOwn: isOwn === 1, isNamed: isNamed === 1 },
  }));
}

/** The fields in their JSON, without what only a change past the app can have stored: text that is no JSON, values that are no text. */
function parseFields(json: string): RecordRow["fields"] {
  const isText = (value: unknown) => typeof value === "string";
  try {
    const parsed: RecordRow["fields"] = JSON.parse(json);
    const known = Object.entries(parsed).filter(
      ([, value]) => isText(value) || (typeof value === "object" && value && Object.values(value).every(isText)),
    );
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/**
 * The JSON of a record's fields as the app stores it: those of its kind, each once, in their order. The hash is of the values
 * alone, and other readers of the database may take another value where a name is there twice.
 */
function fieldsJson(kind: Kind, record: { details?: Details }): string {
  const { details } = record;
  const ordered = details && kind.details.flatMap(({ name }) => (details[name] ? [[name, details[name]]] : []));
  return JSON.stringify(
    contentOf(kind, { ...record, ...(ordered && { details: Object.fromEntries(ordered) }) }).fields,
  );
}

/** The names of those columns, joined. The hash is of the fields alone, which can be one and the same with other columns. */
function differingOf(kind: Kind, row: RecordRow, record: object): string {
  const content = contentOf(kind, record);
  const columns = Object.entries(CONTENT) as [Stored, Column][];
  return columns
    .flatMap(([stored, { name }]) => (stored === "fields" || content[stored] === row[stored] ? [] : [name]))
    .join(", ");
}

/** Rows as Drizzle would read them; a column that Drizzle does not know stays as it is. */
async function read<Result>(execute: Execute, columns: Record<string, Column>, sql: string): Promise<Result[]> {
  const found = (await execute(sql)) as Row[]; // bytes are read as text
  return found.map((row) => {
    const values = Object.entries(columns).map(([field, column]) => {
      const value = row[column.name] ?? null;
      return [field, value === null ? null : column.mapFromDriverValue(value)];
    });
    return { ...row, ...Object.fromEntries(values) } as Result; // the columns are those of the row type
  });
}
