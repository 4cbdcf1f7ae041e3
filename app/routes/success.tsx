import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { findLink } from "#app/verification/confirm/confirm.server.ts";
import { SuccessScreen } from "#app/verification/confirm/success-screen.tsx";
import { visibleLink } from "#app/verification/link-view.server.ts";
import { verificationOf } from "#app/verification/record.ts";

export const handle = { access: "public", secret: true } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "Verification · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const { record } = visibleLink(await findLink(context, token));
  const verified = record && verificationOf(record.record) ? record : null;
  return data({ token, record: verified, timeZone: context.timeZone }, { status: verified ? 200 : 404 });
});

export default function Success() {
  return <SuccessScreen {...useLoaderData<typeof loader>()} />;
}
