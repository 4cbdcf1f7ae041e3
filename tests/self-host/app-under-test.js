// In the single file's place for the built Worker while the Worker suite runs against it: the same observed Worker as in
// Miniflare. Not part of the product.
import { env as bindings } from "cloudflare:workers";
import observed from "./instrumented-entry.js";

export default {
  async fetch(request, env, context) {
    const { hostname, pathname, searchParams } = new URL(request.url);
    const all = { ...env, SABOTAGE: JSON.parse(bindings.SABOTAGE ?? "[]") };
    if (hostname !== "harness.test" || pathname !== "/tick") return observed.fetch(asNamed(request), all, context);
    await observed.scheduled({ scheduledTime: Number(searchParams.get("at")), cron: "* * * * *" }, all, context);
    return new Response();
  },

  // The clock of the single file ticks too; here the tests say when.
  scheduled: () => {},
};

/** A request with the name that a test plays Cloudflare's edge to have given it: here no edge names any. */
function asNamed(request) {
  const ray = request.headers.get("x-under-test-ray");
  if (!ray) return request;
  const copy = new Request(request);
  copy.headers.set("CF-Ray", ray);
  return copy;
}
