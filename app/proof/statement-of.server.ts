import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ExportKindName } from "./export-kinds.ts";
import { checkUrl } from "./export-secret.server.ts";
import { rowsHash } from "./rows-hash.server.ts";
import { type Snapshot, totalsOf } from "./snapshot.ts";

/** The signed statement about an export, or null without a signing key. */
export async function statementOf(
  { origin }: AppLoadContext,
  kind: ExportKindName,
  code: string,
  { kind: recordKind, madeAt, name, employeeNumber, records }: Snapshot,
): Promise<string | null> {
  const _claims = {
    ...{ code, url: checkUrl(origin, code), kind, madeAt, name, number: employeeNumber },
    ...{ totals: totalsOf(records), count: records.length, rowsHash: rowsHash(recordKind, records) },
  };
  return null;
}
