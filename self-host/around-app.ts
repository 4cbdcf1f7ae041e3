import app from "binary:app";
import type { SetUpEnv } from "#app/admin/set-up-items.ts";
import type { MailEnv } from "#app/mail/settings.server.ts";
import type { Env } from "#app/server/env.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { isHostAccepted } from "#app/server/request-line.ts";
import { answerMetrics, type MetricsEnv, responses, sweeps } from "./metrics-endpoint.ts";
import { announceSetUp, answerSetUp } from "./set-up-endpoint.tsx";

/** The settings of the app and of what is around it. */
export type AroundEnv = Env & MailEnv & SetUpEnv & MetricsEnv;

/**
 * Answers a request in the executable and in `npm start`: /metrics, /set-up, and all others by the app, which is counted and
 * refuses a host that is not accepted.
 */
export async function answer(
  request: Request<unknown, IncomingRequestCfProperties>,
  settings: AroundEnv,
  execution: ExecutionContext,
): Promise<Response> {
  const env = { ...settings, lacksTrustProxy: noteProxy(request, settings) };
  return (
    (await answerMetrics(request, env)) ??
    (isHostAccepted(request, env.PUBLIC_ORIGIN) ? await answerSetUp(request, env) : null) ??
    (await app.fetch(request, { ...env, onResponse: (response) => responses.add(response) }, execution))
  );
}

let lacksTrustProxy = false;

/**
 * Whether a request since the start came through a proxy that no setting names: the program itself has no https, so a proxy
 * answers the address, and it sends whose request it is. The first one is logged.
 */
function noteProxy({ headers }: Request, { PUBLIC_ORIGIN, TRUST_PROXY }: AroundEnv): boolean {
  if (lacksTrustProxy || TRUST_PROXY || !/^https:/i.test(PUBLIC_ORIGIN ?? "")) return lacksTrustProxy;
  lacksTrustProxy = headers.has("X-Forwarded-For");
  if (lacksTrustProxy) logEvent("warn", "proxy not trusted", { advice: NOT_TRUSTED });
  return lacksTrustProxy;
}

const NOT_TRUSTED =
  "A request came through a proxy (X-Forwarded-For), but TRUST_PROXY is not set, so all people share one address and one rate limit. Set TRUST_PROXY=1 if every request comes through your own proxy.";

/** At the first request or tick, logs what is not configured. */
export async function announce(env: AroundEnv, request: Request | null): Promise<void> {
  sweeps.begin();
  await announceSetUp(env, request);
}

/** Does the app's work of one minute. @throws what it throws */
export async function sweep(
  controller: ScheduledController,
  env: AroundEnv,
  execution: ExecutionContext,
): Promise<void> {
  await announce(env, null);
  await sweeps.run(async () => app.scheduled(controller, env, execution));
}
