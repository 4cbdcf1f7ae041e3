// Replaces the built Worker in the executable while the Worker suite runs on it: the same observed Worker as in
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

  // The executable's clock runs too; here the tests call the timer.
  scheduled: () => {},
};

/** Sets the request id that a test passes as Cloudflare's edge would: here there is no edge. */
function asNamed(request) {
  const ray = request.headers.get("x-under-test-ray");
  if (!ray) return request;
  const copy = new Request(request);
  copy.headers.set("CF-Ray", ray);
  return copy;
}
