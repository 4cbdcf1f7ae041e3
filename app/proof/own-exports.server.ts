import type { AppLoadContext } from "@remix-run/cloudflare";
import { asc, desc, type SQL, sql } from "drizzle-orm";
import { requireUser, secretFor } from "#app/accounts/access.server.ts";
import { type KeptCheckpoint, lastCheckpoint, printedCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import type { Db, Owner, Rows } from "#app/db/client.server.ts";
import { commit, retryOnConflict, withoutLimit } from "#app/db/commit.server.ts";
import { AppError } from "#app/errors.ts";
import {
  explanationsOf,
  type Form,
  type FormRecord,
  type FormRow,
  formOfRows,
  partText,
  rowOf,
} from "#app/pdf/form.ts";
import { type FormProof, formProof } from "#app/pdf/form-proof.server.ts";
import { FORMS, formsBelow } from "#app/pdf/forms.ts";
import { formatHours, toHundredths } from "#app/records/hours.ts";
import { countRecords } from "#app/records/kind.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { inTurns } from "#app/server/others-turn.ts";
import { withAnySecret } from "#app/server/secrets.server.ts";
import { checkUrl, exportCode, hashCode } from "./export-code.server.ts";
import { type ExportRow, exportRecords, exports, printedRecords } from "./exports.table.ts";
import { printedRecord, type Snapshot } from "./snapshot.ts";
import { withCode } from "./statement.server.ts";

/** The form of an export, made from what was exported, whatever changed since. */
export function formOf(own: OwnExport) {
  return formOfSnapshot(own, formProof(own));
}

/** Rows that are made before other requests have their turn: some milliseconds. */
const AT_ONCE = 100;

/** The form of what is printed, with or without a code. Its records are in the order of the form. */
export async function formOfSnapshot(printed: Omit<Snapshot, "madeAt">, proof: FormProof | null): Promise<Form> {
  const { form: name, name: person, employeeNumber, madeOn, chosen = null, leftOut = null, records } = printed;
  const user = { name: person, email: person, employeeNumber };
  const shown = records.map(
    ({ recordId, content, supervisor, via, ...noted }): FormRecord => ({
      ...{ ...content, id: recordId, verified: true, verifiedBy: supervisor, verifiedVia: via },
      ...noted,
    }),
  );
  const rows: FormRow[] = [];
  await inTurns(shown, AT_ONCE, (record) => {
    rows.push(rowOf(FORMS[name], user, record, madeOn));
  });
  const explained = explanationsOf(shown, leftOut);
  return formOfRows(name, user, { rows, explained }, madeOn, proof, chosen);
}

/** An export as `POST /api/exports` returns it. */
export async function exportWithForm(own: OwnExport) {
  const { id, code, url, madeAt, statement } = own;
  return { id, code, url, madeAt, statement, form: await formOf(own) };
}

/** An export as its owner reads it, with what it prints. */
export interface OwnExport extends Snapshot {
  id: number;
  /** As it is printed, and the address where it is checked. */
  code: string;
  url: string;
  statement: string | null;
  /** The checkpoint of the audit log that it prints. */
  checkpoint: KeptCheckpoint | null;
}

/** An export in its owner's list. */
export type ListedExport = ReturnType<typeof listedExport>;

/** The most exports in a list. */
const LISTED_MAX = 1_000;

/** The queries for one of the owner's exports with its records, and the last checkpoint before it. */
export function ownExportQueries(db: Db, owner: Owner, which: SQL) {
  const mine = sql`user_id = ${owner} AND ${which}`;
  return {
    row: db.select().from(exports).where(mine),
    records: db
      .select()
      .from(printedRecords)
      .where(sql`export_id = (SELECT id FROM ${exports} WHERE ${mine})`)
      .orderBy(asc(printedRecords.position)),
    checkpoint: lastCheckpoint(db, sql`(SELECT made_at FROM ${exports} WHERE ${mine})`),
  };
}

/**
 * The export from the rows of `ownExportQueries`, or null if there is none.
 * @throws {AppError} 409 if it is closed
 */
export function ownExport(
  { secret, origin }: Pick<AppLoadContext, "secret" | "origin">,
  { row: [row], records, checkpoint }: Rows<ReturnType<typeof ownExportQueries>>,
): OwnExport | null {
  if (!row) return null;
  const snapshot = snapshotOf(row, records);
  if (!snapshot) throw new AppError("export_closed", "This export was closed. Make a new one.");
  const code = codeOf(secret, row);
  if (!code) throw new AppError("export_closed", "The code of this export can no longer be made. Make a new export.");
  const statement = row.statement && withCode(row.statement, code);
  return {
    ...snapshot,
    id: row.id,
    code,
    url: checkUrl(origin, code),
    statement,
    checkpoint: printedCheckpoint(checkpoint),
  };
}

/** Returns the printed content of a stored export; null if it was closed, or its account deleted. */
export function snapshotOf(
  { form, madeAt, madeOn, fromDay, toDay, isOfOneSupervisor, supervisor, name, employeeNumber, ...row }: ExportRow,
  records: (typeof printedRecords.$inferSelect)[],
): Snapshot | null {
  if (form === null || madeOn === null || name === null) return null;
  const { domains, leftOut, leftOutHundredths } = row;
  const isPart = fromDay !== null || toDay !== null || isOfOneSupervisor;
  return {
    form,
    madeAt,
    madeOn,
    chosen: isPart ? { from: fromDay, to: toDay, isOfOneSupervisor, supervisor } : null,
    leftOut: leftOut === null ? null : { records: leftOut, hundredths: leftOutHundredths ?? 0 },
    name,
    employeeNumber,
    records: records.map(({ domain, ...record }) =>
      printedRecord(form, { ...record, domain: domains?.[domain ?? -1] ?? null }),
    ),
  };
}

/** The code of a stored export; null if SESSION_SECRET was changed since, and the one of before is no earlier secret. */
function codeOf(secret: string, { id, nonce, codeHash }: Pick<ExportRow, "id" | "nonce" | "codeHash">): string | null {
  if (nonce === null) return null;
  const codes = withAnySecret(secret, (one) => exportCode(one, id, nonce));
  return codes.find((code) => hashCode(code) === codeHash) ?? null;
}

/**
 * Finds one of the user's exports, with its printed content.
 * @throws {AppError} 404 for an unknown export, another user's, or one that is printed below another log; 409 for a
 *   closed one
 */
export async function findOwnExport(context: AppLoadContext, log: string, id: number): Promise<OwnExport> {
  const forms = JSON.stringify(formsBelow(log));
  const { found } = await requireUser(context, (owner, db) => ({
    found: ownExportQueries(db, owner, sql`id = ${id} AND form IN (SELECT value FROM json_each(${forms}))`),
  }));
  const own = ownExport(context, found);
  if (!own) throw missing();
  return own;
}

const missing = () => new AppError("not_found", "There is no such export.");

/** The query for the owner's exports, newest first: at most `limit`, before the one with the id `before`. */
export function listExports(
  db: Db,
  owner: Owner,
  { before, limit = LISTED_MAX }: { before?: number | undefined; limit?: number } = {},
) {
  const older = sql`(made_at, id) < (SELECT last.made_at, last.id FROM ${exports} AS last
    WHERE last.id = ${before ?? null} AND last.user_id = ${owner})`;
  return db
    .select()
    .from(exports)
    .where(sql`user_id = ${owner} AND ${before === undefined ? sql`1` : older}`)
    .orderBy(desc(exports.madeAt), desc(exports.id))
    .limit(limit);
}

/**
 * Returns an export from its row, as its owner sees it in a list. A closed one no longer has a code, and a read token
 * sees none.
 */
export function listedExport(context: Pick<AppLoadContext, "secret" | "origin" | "isReadOnly">, row: ExportRow) {
  const { id, madeAt, isOfOneSupervisor, supervisor, records, hundredths, checks, checkedAt, closedAt } = row;
  const { fromDay: from, toDay: to } = row;
  const form = row.form ?? "ojt"; // every export of an account has its form
  const code = secretFor(context, closedAt ? null : codeOf(context.secret, row));
  return {
    id,
    form,
    from,
    to,
    supervisor,
    part: partText(form, { from, to, isOfOneSupervisor, supervisor }),
    code,
    url: code && checkUrl(context.origin, code),
    madeAt,
    records: records ?? 0,
    hours: (hundredths ?? 0) / 100,
    checks,
    checkedAt,
    closedAt,
  };
}

/** Returns the title of an export: `Experience Hours (OJT), 62 records, 471.5 h`. */
export function exportTitle({ form, records, hours }: ListedExport): string {
  return `${FORMS[form].title}, ${countRecords(records)}, ${formatHours(toHundredths(hours))} h`;
}

/**
 * Finds one of the user's exports as it is listed.
 * @throws {AppError} 404 for an unknown export or another user's
 */
export async function findListedExport(context: AppLoadContext, id: number) {
  const { user, found } = await requireUser(context, (owner, db) => ({
    found: db.select().from(exports).where(sql`id = ${id} AND user_id = ${owner}`),
  }));
  if (!found[0]) throw missing();
  return { user, listed: listedExport(context, found[0]) };
}

/**
 * Closes one of the user's exports: its code is known, but shows no more than how many of its verifications were withdrawn, and
 * what it printed is deleted. Closing it again changes nothing.
 * @throws {AppError} 404 for an unknown export or another user's
 */
export async function closeExport(context: AppLoadContext, id: number): Promise<ListedExport> {
  const { db, now } = context;
  const row = await retryOnConflict(context, "close_export", async () => {
    const { account, found } = await requireUser(context, (owner, db) => ({
      found: db.select().from(exports).where(sql`id = ${id} AND user_id = ${owner}`),
    }));
    const [row] = found;
    if (!row) throw missing();
    if (row.closedAt) return row;
    const { closed } = await commit(db, [withoutLimit(account)], {
      erased: db
        .update(exportRecords)
        .set({ content: null, domain: null, verifiedFor: null, dayHundredths: null, continuity: null })
        .where(sql`export_id = ${id}`),
      closed: db
        .update(exports)
        .set({
          ...{ closedAt: now, name: null, employeeNumber: null, domains: null, statement: null, seal: null },
          supervisor: null,
        })
        .where(sql`id = ${id}`)
        .returning(),
    });
    securityEvent(context, "export_closed", { export: id });
    return closed[0] ?? row;
  });
  return listedExport(context, row);
}
