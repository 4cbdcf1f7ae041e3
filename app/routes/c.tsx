import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { toCalendarDate } from "#app/calendar-date.ts";
import { AppError } from "#app/errors.ts";
import checkStyles from "#app/proof/check.css?inline";
import { checkExport, checkPage } from "#app/proof/check.server.ts";
import { AccountDeletedScreen, CheckFormScreen, ClosedScreen } from "#app/proof/check-form.tsx";
import { CheckScreen } from "#app/proof/check-screen.tsx";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";

export const handle = { heavy: true, access: "public", secret: true, css: cssOf } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Check a form · Hours Tracker" }];

/** What an export shows has a sheet of its own, without forms. */
function cssOf(data: unknown): string {
  const { checked } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  return checked?.kind === "shown" ? checkStyles : styles;
}

export const loader = page(async ({ request, params, context }) => {
  const typed = params.code ?? "";
  const { searchParams } = new URL(request.url);
  const page = Math.max(1, Number.parseInt(searchParams.get("page") ?? "", 10) || 1);
  try {
    const checked = await checkExport(context, typed, request.method !== "HEAD" && page === 1);
    const today = toCalendarDate(context.timeZone, context.now);
    const shown =
      checked.kind === "shown" ? { kind: "shown" as const, check: checkPage(checked.export, page, today) } : checked;
    return data({ checked: shown, typed, message: null });
  } catch (error) {
    // The page asks for the code again.
    if (!(error instanceof AppError) || ![400, 404].includes(error.status)) throw error;
    return data({ checked: null, typed, message: error.message }, { status: error.status });
  }
});

export default function Check() {
  const { checked, typed, message } = useLoaderData<typeof loader>();
  if (!checked) return <CheckFormScreen typed={typed} message={message} />;
  if (checked.kind === "closed") return <ClosedScreen {...checked} />;
  if (checked.kind === "account-deleted") return <AccountDeletedScreen {...checked} />;
  return <CheckScreen check={checked.check} />;
}
