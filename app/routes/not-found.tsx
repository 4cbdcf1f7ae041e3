import { data, type MetaFunction } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/server/route.ts";
import { Failure } from "#app/ui/page.tsx";

export const handle = { access: "public" } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "404 · Hours Tracker" }];

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <Failure title="404 Page Not Found" text="Did you forget to add the page to the router?" />;
}
