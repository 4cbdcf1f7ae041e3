import { z } from "zod";
import { hasTechniciansName } from "#app/records/evidence.ts";
import { kindNamed } from "#app/records/kinds.ts";
import { LIST_MAX, listSchema } from "#app/server/query.ts";
import { type Checked, statesOf } from "./check.server.ts";
import { totalsOf } from "./snapshot.ts";

/** The parameters of `GET /api/check/{code}`: a cursor is the number of the last record of the page before. */
export const checkQuerySchema = listSchema(LIST_MAX, {
  before: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: "before must be a cursor, as in Link" })
    .transform(Number)
    .optional(),
});

/**
 * A check as `GET /api/check/{code}` returns it: totals and states are of all records, which are listed in the order of the
 * form, a page at a time. `next` is the cursor of the next page.
 */
export function checkJson(checked: Checked, { limit, before = 0 }: z.output<typeof checkQuerySchema>) {
  if (checked.kind === "closed") {
    return { answer: { closedAt: checked.closedAt, disowned: checked.disowned }, next: null };
  }
  if (checked.kind === "account-deleted") {
    return { answer: { madeAt: checked.madeAt, accountDeletedAt: checked.accountDeletedAt }, next: null };
  }
  const { form, madeAt, name, employeeNumber, records, statement } = checked.export;
  const end = before + limit;
  const answer = {
    form,
    madeAt,
    technician: { name, employeeNumber },
    totals: totalsOf(records),
    states: statesOf(records),
    records: records
      .slice(before, end)
      .map(({ type, content, details, supervisor, via, domain, state, confirmedOn, confirmed, ...noted }) => ({
        type,
        ...absentFields(type),
        ...content,
        ...(details && { details }),
        supervisor,
        via,
        domain,
        state,
        createdAt: noted.createdAt ?? null,
        verifiedAt: noted.verifiedAt ?? null,
        certification: noted.certification ?? null,
        confirmedAt: confirmed?.at ?? null,
        ...(confirmed && { confirmedFrom: confirmed.domain }),
        ...(confirmedOn && { confirmedOn }),
        ...(noted.verifiedFor && { verifiedFor: noted.verifiedFor }),
        ...(hasTechniciansName(supervisor, name, noted) && { sameName: true }),
        ...(noted.dayHundredths && { dayHours: noted.dayHundredths / 100 }),
      })),
    statement,
  };
  return { answer, next: end < records.length ? end : null };
}

/** The fields that a record of this type can lack, as null: every record of a type has the same fields. */
function absentFields(type: string): Record<string, null> {
  const optional = kindNamed(type).fields.filter(({ isOptional }) => isOptional);
  return Object.fromEntries(optional.map(({ name }) => [name, null]));
}
