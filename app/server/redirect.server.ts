import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Flash } from "./flash.ts";

/** Redirects (303) to a page of the app, with a flash message for it. */
export async function redirectTo(
  context: AppLoadContext,
  path: string,
  flash?: Flash,
  headers?: HeadersInit,
): Promise<Response> {
  const all = new Headers(headers);
  all.set("Location", path);
  if (flash) all.append("Set-Cookie", await context.cookies.flash.serialize(flash));
  return new Response(null, { status: 303, headers: all });
}
