import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { page } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { findVerifyLink } from "#app/verification/answer/answer-request.server.ts";
import { isAnswered, SuccessScreen } from "#app/verification/answer/success-screen.tsx";
import { visibleLink } from "#app/verification/link-view.server.ts";
import lookStyles from "#app/verification/look.css?inline";
import sumsStyles from "#app/verification/sums.css?inline";

export const handle = { access: "public", secret: true, css: cssOf } satisfies RouteHandle;

/** Only what a link shows needs these sheets. */
function cssOf(data: unknown): string {
  const { link } = (data ?? {}) as Partial<Awaited<ReturnType<typeof loader>>["data"]>; // none after an error
  return styles + (link?.items.length ? lookStyles : "") + (link?.isSeveral ? sumsStyles : "");
}

export const meta: MetaFunction = () => [{ title: "Verification · Hours Tracker" }];

export const loader = page(async ({ request, context }) => {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const link = visibleLink(await findVerifyLink(context, token), { past: true });
  const back = context.flash?.takeBack;
  const disownHref = back?.startsWith(`/disown/${token}?`) ? back : null; // not that of another link
  const isMailOn = context.mail.isConfigured;
  return data(
    { token, link, disownHref, isMailOn, timeZone: context.timeZone },
    { status: isAnswered(link) ? 200 : 404 },
  );
});

export default function Success() {
  return <SuccessScreen {...useLoaderData<typeof loader>()} />;
}
