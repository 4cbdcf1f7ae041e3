import { hasTechniciansName } from "#app/records/evidence.ts";
import type { Checked } from "./check.server.ts";
import { totalsOf } from "./snapshot.ts";

/** A check as `GET /api/check/{code}` returns it. */
export function checkJson(checked: Checked) {
  if (checked.kind === "closed") return { closedAt: checked.closedAt, disowned: checked.disowned };
  if (checked.kind === "account-deleted") {
    return { madeAt: checked.madeAt, accountDeletedAt: checked.accountDeletedAt };
  }
  const { kind: type, madeAt, name, employeeNumber, records, statement } = checked.export;
  return {
    madeAt,
    technician: { name, employeeNumber },
    totals: totalsOf(records),
    records: records.map(({ content, supervisor, via, domain, state, verifiedFor, dayHundredths }) => ({
      ...{ type, ...content, supervisor, via, domain, state },
      ...(verifiedFor && { verifiedFor }),
      ...(hasTechniciansName(supervisor, name, { verifiedFor }) && { sameName: true }),
      ...(dayHundredths && { dayHours: dayHundredths / 100 }),
    })),
    statement,
  };
}
