import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { User } from "#app/accounts/user.ts";
import { percentOf } from "#app/admin/progress/progress-view.ts";
import { CSV_BOM, csvLine } from "#app/server/csv.ts";
import { download } from "#app/server/stream.server.ts";
import { toCalendarDate } from "#app/ui/calendar-date.ts";
import { listProgress, type TechnicianProgress } from "./progress-list.server.ts";
import { type ProgressView, progressViewAt } from "./progress-view.ts";

/** How many technicians a page of the list shows, and how many a file has. */
export const PAGE_SIZE = 50;
const FILE_SIZE = 10_000;

export interface AdminProgressPage {
  user: User;
  technicians: TechnicianProgress[];
  hasNext: boolean;
}

/**
 * A page of the technicians' progress, in one round trip.
 * @throws as `requireAdmin`
 */
export async function adminProgress(
  context: AppLoadContext,
  view: ProgressView,
  size = PAGE_SIZE,
): Promise<AdminProgressPage> {
  const today = toCalendarDate(context.timeZone, context.now);
  const { user, list } = await requireAdmin(context, (viewer, db) => ({
    // One more than is shown, to find out whether there is a next page.
    list: listProgress(db, viewer, view, { today, limit: size + 1, offset: (view.page - 1) * size }),
  }));
  return { user, technicians: list.slice(0, size), hasNext: list.length > size };
}

/**
 * The list as a CSV file, of up to 10,000 technicians; `page` counts files.
 * @throws as `requireAdmin`
 */
export async function adminProgressCsv(context: AppLoadContext, url: URL): Promise<Response> {
  const view = progressViewAt(url);
  const { technicians } = await adminProgress(context, view, FILE_SIZE);
  return download(
    context,
    `progress-${toCalendarDate(context.timeZone, context.now)}`,
    "csv",
    lines(technicians, view),
  );
}

async function* lines(technicians: TechnicianProgress[], { preset }: ProgressView): AsyncGenerator<string> {
  const items = preset?.items ?? [];
  const titles = items.map(({ title }) => `${preset?.title}: ${title}, percent`);
  const columns = ["Name", "Email", "Employee Number", "Hours verified", "Hours waiting", "Last entry"];
  yield CSV_BOM + csvLine([...columns, ...titles]);
  for (const technician of technicians) {
    const { name, email, employeeNumber, verified, waiting, last } = technician;
    const percents = items.map(({ required }, index) => percentOf(technician.items[index] ?? 0, required));
    yield csvLine([name, email, employeeNumber, verified / 100, waiting / 100, last, ...percents]);
  }
}
