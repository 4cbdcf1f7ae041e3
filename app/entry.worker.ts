import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";
import { sweepSessions } from "#app/accounts/sessions.server.ts";
import { connect } from "#app/db/client.server.ts";
import { errorJson } from "#app/http/api.server.ts";
import { type Env, isApiPath, loadContext } from "#app/http/context.server.ts";
import { admit, type Door, doorsOf } from "#app/http/guard.server.ts";
import { withStandardHeaders } from "#app/http/headers.server.ts";
import { logError } from "#app/http/log.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { renderFailure } from "./entry.server.tsx";

const doorTo = doorsOf(build);
const handle = createRequestHandler(build, import.meta.env.MODE);

/** The whole app: pages, /api, and what the timer does. Static files are served before it is asked. */
export default {
  async fetch(request, env) {
    const door = doorTo(new URL(request.url));
    try {
      return await answer(request, env, door);
    } catch (error) {
      return withStandardHeaders(answerTo(error, request, door), request, door, env);
    }
  },

  async scheduled(controller, env) {
    await sweepSessions(connect(env.DB), new Date(controller.scheduledTime));
  },
} satisfies ExportedHandler<Env>;

/** One request through the front door: settings, guard, route, and the headers that every answer has. */
async function answer(request: Request, env: Env, door: Door): Promise<Response> {
  if (!env.SESSION_SECRET) throw new Error("SESSION_SECRET is missing: `wrangler secret put SESSION_SECRET` sets it");
  const admitted = await admit(request, door, env);
  const context = await loadContext(request, env, env.SESSION_SECRET);
  const response = await handle(admitted, context);
  if (door.handle.access !== "public" && response.ok && !context.viewerWasChecked) {
    throw new Error(`the private route ${door.id} answered without asking who it was`);
  }
  const finished = withStandardHeaders(response, request, door, env);
  if (context.flash && finished.headers.get("Content-Type")?.startsWith("text/html")) {
    finished.headers.append("Set-Cookie", await context.cookies.flash.serialize("", { maxAge: 0 }));
  }
  return finished;
}

/** A refusal, or an error that nobody foresaw, in the language of the door: JSON under /api, else a page. */
function answerTo(error: unknown, request: Request, door: Door): Response {
  const response = isApiPath(new URL(request.url).pathname) ? errorJson(error, request) : errorPage(error, request);
  if (response.status === 405) response.headers.set("Allow", door.methods.join(", "));
  return response;
}

function errorPage(error: unknown, request: Request): Response {
  if (error instanceof Refusal) {
    return renderFailure(
      error.status,
      "That could not be sent",
      `${error.message} Go back: what you typed is still there.`,
    );
  }
  logError(error, request);
  return renderFailure(500, "Something went wrong", "It is our fault, and nothing was changed. Please try again.");
}
