import type { App } from "#tests/worker/app.ts";
import { CALLS } from "#tests/worker/calls.ts";
import { callerOf, nameOf } from "#tests/worker/make-call.ts";
import type { World } from "#tests/worker/world.ts";
import { type Action, anonymousClient, KEY, NEW_LINK, NEW_SESSION } from "./action.ts";
import { FORMS } from "./form-actions.ts";

/** The difference when a call is repeated. */
const AGAIN: Record<string, Action["again"]> = {
  "POST /api/auth/register": "refused",
  "POST /api/auth/login": NEW_SESSION,
  "POST /api/auth/reset-password": NEW_LINK,
  "POST /api/auth/reset-password/{id}": "refused",
  "POST /api/tokens": "refused",
  "DELETE /api/tokens/{id}": "refused",
  "POST /api/admin/tokens": "refused",
  "DELETE /api/admin/tokens/{id}": "refused",
  "POST /api/admin/users/{id}/reset-link": NEW_LINK,
  "POST /api/user/email": NEW_LINK,
  "POST /api/user/email/resend": NEW_LINK,
  "POST /api/user/email/{id}": "refused",
  "POST /api/disown/{id}": { more: "nothing: there is nothing left to disown" },
  "POST /api/supervisor-inbox": { more: "another email with a link, as asking twice does" },
  "POST /api/verification-requests/{id}/remind": "refused",
  "POST /api/imports": { more: "a second preview, of which nothing is saved" },
  "DELETE /api/imports/{id}": "refused",
  "PATCH /api/imports/{id}": { more: "nothing: the same choices are stored again" },
  "POST /api/verify/{id}": "refused",
  "POST /api/verify/{id}/decline": "refused",
  "POST /api/verify/{id}/unknown": "refused",
  "DELETE /api/verify-request/{id}": "refused",
  "DELETE /api/verify-request-rope/{id}": "refused",
  "DELETE /api/entries/{id}": "refused",
  "DELETE /api/training/{id}": "refused",
  "DELETE /api/certificates/{id}": "refused",
  "DELETE /api/admin/training/{id}": "refused",
  "DELETE /api/admin/certificates/{id}": "refused",
  "POST /api/admin/messages/{id}/send-again": "refused",
  "DELETE /api/supervisors/{id}": "refused",
  "DELETE /api/rope-hours/{id}": "refused",
  "DELETE /api/targets/{id}": "refused",
  "POST /api/user/password": "refused",
  "DELETE /api/user": "refused",
  "DELETE /api/user/sessions/{id}": "refused",
  "DELETE /api/admin/users/{id}": "refused",
  "DELETE /api/admin/entries/{id}": "refused",
  "DELETE /api/admin/rope-hours/{id}": "refused",
};

/** Every API call that changes data. */
const WRITES: Action[] = CALLS.filter(({ method }) => method !== "GET").map((call) => {
  const name = nameOf(call);
  const isPublic = call.access === "public" && !name.endsWith("/logout"); // which ends a session
  const client = (app: App, world: World) =>
    isPublic ? anonymousClient(app) : callerOf(call, world).as(callerOf(call, world).cookies);
  return {
    name,
    method: call.method,
    path: call.path,
    isApi: true,
    body: (world) => call.body?.(world),
    client,
    ...(AGAIN[name] && { again: AGAIN[name] }),
    async send(app, world, headers = {}) {
      const sender = client(app, world);
      const key = { "Idempotency-Key": KEY, ...headers };
      return { answer: await sender.json(call.method, call.path(world), call.body?.(world), key), client: sender };
    },
  };
});

export const ACTIONS: Action[] = [...FORMS, ...WRITES];
