import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireUser } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { toCalendarDate } from "#app/calendar-date.ts";
import { type ProgressYear, yearFrom, yearsOf } from "#app/certification/progress-links.ts";
import { EXPERIENCE_KINDS } from "#app/records/all-kinds.ts";
import { progressFromRows, progressQueries } from "./progress.server.ts";
import { progressOf, type TargetProgress } from "./progress.ts";
import { thinFromRows, thinQueries } from "./renewal.server.ts";
import type { Thin } from "./renewal.tsx";
import type { Target } from "./targets.table.ts";

/** What the pages of progress show. */
export interface ProgressPage {
  user: User;
  /** The technician's date. */
  today: string;
  /** The newest first: those of a page, which begins with the target that the URL names. */
  targets: TargetProgress[];
  /** Whether there are targets on pages before, and the id of the first one on the next page. */
  hasNewer: boolean;
  older: number | null;
  year: ProgressYear;
  /** Where hours run thin. */
  thin: Thin[];
}

/** A page of targets ends with the one that brings it to this number of items: a gauge and its links have some kilobytes. */
const ITEMS_OF_PAGE = 100;

/** The targets of a page, from that with the id `first` on. */
function targetsOfPage(targets: Target[], first: string | null) {
  const start = Math.max(
    0,
    targets.findIndex(({ id }) => String(id) === first),
  );
  let [end, items] = [start, 0];
  for (; end < targets.length && items < ITEMS_OF_PAGE; end++) items += targets[end]?.items.length ?? 0;
  return { shown: targets.slice(start, end), hasNewer: start > 0, older: targets[end]?.id ?? null };
}

/**
 * The signed-in user's progress, and the year that the URL asks for.
 * @throws {Response} a redirect to /auth if no user is signed in
 */
export async function findProgress(context: AppLoadContext, url: URL): Promise<ProgressPage> {
  const today = toCalendarDate(context.timeZone, context.now);
  const year = yearFrom(url, today);
  const { user, ...answers } = await requireUser(context, (owner, db) => ({
    ...progressQueries(db, owner, { today, year }),
    ...thinQueries(db, owner, today),
  }));
  const { targets, rows } = progressFromRows(answers);
  // The pictures are of experience: training is none.
  const experience = rows.months.filter(({ kind }) => EXPERIENCE_KINDS.some(({ name }) => name === kind));
  const { shown, hasNewer, older } = targetsOfPage(targets, url.searchParams.get("target"));
  return {
    user,
    today,
    targets: await progressOf(shown, rows, today),
    hasNewer,
    older,
    thin: thinFromRows(answers),
    year: {
      year,
      years: yearsOf(experience),
      months: experience,
      days: rows.days,
      hasDayTable: url.searchParams.get("days") === "table",
    },
  };
}
