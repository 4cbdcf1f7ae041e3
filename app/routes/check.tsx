import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { CheckFormScreen } from "#app/proof/check-form.tsx";
import { MISTYPED, parseCode } from "#app/proof/export-code.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";

export const handle = { heavy: true, access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Check a form · Hours Tracker" }];

const NO_CODE = "Type the code that is on every page of the form.";

/** The field for a code, and where it is sent: to the page of the code, unless it is mistyped. */
export const loader = page(async ({ request, context }) => {
  const typed = new URL(request.url).searchParams.get("code");
  if (typed === null) return data({ typed: "", message: null });
  const code = parseCode(typed);
  if (code) throw await redirectTo(context, `/c/${code}`);
  return data({ typed: typed.slice(0, 100), message: typed.trim() === "" ? NO_CODE : MISTYPED }, { status: 400 });
});

export default function CheckForm() {
  return <CheckFormScreen {...useLoaderData<typeof loader>()} />;
}
