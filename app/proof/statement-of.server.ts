import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ListName } from "#app/db/enumerations.ts";
import { personText } from "#app/records/evidence.ts";
import { checkUrl } from "./export-secret.server.ts";
import { rowsHash } from "./rows-hash.server.ts";
import { signerOf } from "./signer.server.ts";
import { noteKeyUse } from "./signing-keys.server.ts";
import { type Snapshot, totalsOf } from "./snapshot.ts";
import { signStatement } from "./statement.server.ts";

/**
 * The signed statement about an export, or null without a signing key; and `keyUse`, the statements that note the use of the
 * key, for the batch that stores the export.
 */
export async function statementOf(
  context: AppLoadContext,
  kind: ListName,
  code: string,
  { kind: recordKind, madeAt, name, employeeNumber, records }: Snapshot,
) {
  const verifiedFor = records.flatMap((record) => (record.verifiedFor ? [personText(record.verifiedFor)] : []));
  const signer = await signerOf(context);
  const statement = await signStatement(signer, {
    ...{
      code: code.replaceAll("-", ""),
      url: checkUrl(context.origin, code),
      kind,
      madeAt,
      name,
      number: employeeNumber,
    },
    verifiedFor: verifiedFor.length > 0 ? [...new Set(verifiedFor)].join("; ") : null,
    ...{ totals: totalsOf(records), count: records.length, rowsHash: rowsHash(recordKind, records) },
  });
  return { statement, keyUse: signer ? noteKeyUse(context, signer) : {} };
}
