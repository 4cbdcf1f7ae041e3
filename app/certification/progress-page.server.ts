import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { progressFromRows, progressQueries } from "./progress.server.ts";
import { progressOf, type TargetProgress } from "./progress.ts";
import { type ProgressYear, yearFrom, yearsOf } from "./progress-year.ts";

/** What the pages of progress show. */
export interface ProgressPage {
  user: User;
  /** The technician's date. */
  today: string;
  /** The newest first. */
  targets: TargetProgress[];
  year: ProgressYear;
}

/**
 * The signed-in user's progress, and the year that the URL asks for.
 * @throws {Response} a redirect to /auth if no user is signed in
 */
export async function findProgress(context: AppLoadContext, url: URL): Promise<ProgressPage> {
  const today = toCalendarDate(context.timeZone, context.now);
  const year = yearFrom(url, today);
  const { user, ...answers } = await requireUser(context, (owner, db) => progressQueries(db, owner, { today, year }));
  const { targets, rows } = progressFromRows(answers);
  return {
    user,
    today,
    targets: targets.map((target) => progressOf(target, rows, today)),
    year: {
      ...{ year, years: yearsOf(rows.months), months: rows.months, days: rows.days },
      hasDayTable: url.searchParams.get("days") === "table",
    },
  };
}
