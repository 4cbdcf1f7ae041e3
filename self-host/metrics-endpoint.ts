import type { Env } from "#app/server/env.ts";
import { logError, logRequest, type Visit } from "#app/server/logger.server.ts";
import { getRequestId, withRequestId } from "#app/server/request-id.server.ts";
import { type BackupState, backupAges, backupFailures } from "./metrics/backups.ts";
import { databaseMetrics } from "./metrics/database.ts";
import { EXPOSITION_TYPE, exposition, type Metric } from "./metrics/exposition.ts";
import { Responses } from "./metrics/responses.ts";
import { Sweeps } from "./metrics/sweeps.ts";
import { plainResponse, refusalOf } from "./token-guard.ts";

/** What this program has counted since its start. */
export const responses = new Responses();
export const sweeps = new Sweeps();

/** What the endpoint needs beside the app's own settings. */
export interface MetricsEnv {
  METRICS_TOKEN?: string;
  /** The check of /healthz. */
  isHealthy: () => Promise<boolean>;
  /** Where backups are taken; missing without them. */
  backups?: BackupState;
}

/**
 * Answers GET /metrics with `METRICS_TOKEN`, for Prometheus. Returns null for other requests, and without that setting:
 * the URL then does not exist. Only refusals are logged: it is requested several times a minute.
 */
export async function answerMetrics(incoming: Request, env: Env & MetricsEnv): Promise<Response | null> {
  const { METRICS_TOKEN: token } = env;
  if (!token || new URL(incoming.url).pathname !== "/metrics") return null;
  const start = Date.now();
  const request = withRequestId(incoming);
  const route = "self-host/metrics";
  const visit: Visit = { id: getRequestId(request), method: request.method, route, userId: null };
  const refusal = await refusalOf(request, { methods: ["GET"], token, refused: "metrics_refused" }, env, visit);
  if (refusal) logRequest(visit, refusal.status, Date.now() - start);
  return refusal ?? plainResponse(exposition(await allMetrics(env)), EXPOSITION_TYPE);
}

/** All metrics. What cannot be read is missing; without the database `hourstracker_ready` is 0. */
async function allMetrics({ DB, isHealthy, backups }: Env & MetricsEnv): Promise<Metric[]> {
  const orNull = (error: unknown) => {
    logError(error);
    return null;
  };
  const [isReady, ofDatabase, ages] = await Promise.all([
    isHealthy(),
    databaseMetrics(DB).catch(orNull),
    backups && backupAges(backups).catch(orNull),
  ]);
  return [
    {
      name: "hourstracker_ready",
      type: "gauge",
      help: "Whether the app answers and its database accepts writes (1), or not (0).",
      samples: [{ value: isReady && ofDatabase ? 1 : 0 }],
    },
    ...responses.metrics(),
    ...(ofDatabase ?? []),
    ...(ages ?? []),
    ...(backups ? [backupFailures(backups)] : []),
    ...sweeps.metrics(),
  ];
}
