import { MESSAGE_FAILURES } from "#app/db/enumerations.ts";
import type { Env, ObservedResponse } from "#app/server/env.ts";
import { getRequestId, logError, logRequest, type Visit, withRequestId } from "#app/server/logger.server.ts";
import { plainResponse, refusalOf } from "./token-guard.ts";

/** When the timer's work last succeeded, and how often it failed. */
export class Sweeps {
  /** In milliseconds since 1970; at first the start, so that a timer that never runs is noticed too. */
  #lastSuccess: number | null = null;
  #errors = 0;

  /** Runs the work of one minute. @throws what it throws */
  async run(work: () => Promise<unknown>): Promise<void> {
    this.begin();
    try {
      await work();
      this.#lastSuccess = Date.now();
    } catch (error) {
      this.#errors += 1;
      throw error;
    }
  }

  /** Counts the time without a sweep from here on, if none has run. */
  begin(): void {
    this.#lastSuccess ??= Date.now();
  }

  metrics(): Metric[] {
    this.begin();
    return [
      {
        name: "hourstracker_sweep_age_seconds",
        type: "gauge",
        help: "Time since the timer's work last succeeded, or since the start.",
        samples: [{ value: secondsSince(this.#lastSuccess ?? Date.now()) }],
      },
      {
        name: "hourstracker_sweep_errors_total",
        type: "counter",
        help: "How often the timer's work has failed since the start.",
        samples: [{ value: this.#errors }],
      },
    ];
  }
}

/** The time since a moment in milliseconds since 1970, never below 0: the clock may have been set back. */
function secondsSince(moment: number): number {
  return Math.max(0, Date.now() - moment) / 1000;
}

/** The upper limits of the histogram's buckets, in seconds. A login waits for its hash, alone for 0.2 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The methods that become labels: a client can send any other word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The responses of one route and method. */
interface Series {
  labels: Labels;
  byStatus: Map<number, number>;
  /** How many were in each bucket, and in none. Not cumulative. */
  inBucket: number[];
  /** In seconds. */
  sum: number;
}

/**
 * Counts the app's responses since the start, by route, method and status. The number of series is bounded: routes are
 * patterns of app/routes.ts, and every unknown path has the same one.
 */
export class Responses {
  readonly #series = new Map<string, Series>();
  /** How often each act was decided again, because another one came between reading and storing. */
  readonly #conflicts = new Map<string, number>();

  add({ pattern, method, status, ms, conflicts }: ObservedResponse): void {
    for (const act of conflicts) this.#conflicts.set(act, 1 + (this.#conflicts.get(act) ?? 0));
    const labels = { route: pattern, method: METHODS.has(method) ? method : "other" };
    const key = `${labels.method} ${pattern}`;
    const series = this.#series.get(key) ?? {
      labels,
      byStatus: new Map(),
      inBucket: Array(BUCKETS.length + 1).fill(0),
      sum: 0,
    };
    this.#series.set(key, series);
    // A clock that was set back must not lessen a sum that can only grow.
    const seconds = Math.max(0, ms) / 1000;
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
    const index = bucket === -1 ? BUCKETS.length : bucket;
    series.inBucket[index] = (series.inBucket[index] ?? 0) + 1;
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    series.sum += seconds;
  }

  metrics(): Metric[] {
    const all = [...this.#series.values()];
    return [
      {
        name: "hourstracker_http_requests_total",
        type: "counter",
        help: "Requests that the app has answered since its start.",
        samples: all.flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
        ),
      },
      {
        name: "hourstracker_http_errors_total",
        type: "counter",
        help: "Requests that the app has answered with a status of 500 or more since its start.",
        samples: all.map(({ labels, byStatus }) => ({
          labels,
          value: [...byStatus].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0),
        })),
      },
      {
        name: "hourstracker_http_request_duration_seconds",
        type: "histogram",
        help: "Time from the request to the response.",
        samples: all.flatMap(histogramOf),
      },
      {
        name: "hourstracker_conflicts_total",
        type: "counter",
        help: "How often an act was decided again since the start, because another one changed the account meanwhile.",
        samples: [...this.#conflicts].map(([act, value]) => ({ labels: { act }, value })),
      },
    ];
  }
}

function histogramOf({ labels, inBucket, sum }: Series): Sample[] {
  let count = 0;
  const buckets = inBucket.map((more, index) => {
    count += more;
    const le = number(BUCKETS[index] ?? Number.POSITIVE_INFINITY);
    return { suffix: "_bucket", labels: { ...labels, le }, value: count };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
}

/**
 * The state of the outbox and the size of the database, in one round trip.
 * @throws {Error} if the database cannot be read
 */
async function databaseMetrics(database: Pick<D1Database, "batch" | "prepare">): Promise<Metric[]> {
  const [waiting, failed] = await database.batch<{
    reason?: string;
    count: number;
    oldest?: number | null;
    keyed?: number;
  }>([
    database.prepare(
      `SELECT count(*) AS count, min(created_at) AS oldest, count(key_refused_at) > 0 AS keyed FROM outbox
        WHERE due_at IS NOT NULL`,
    ),
    database.prepare(`SELECT coalesce(reason, 'unknown') AS reason, count(*) AS count FROM outbox
        WHERE state = 'failed' OR (state = 'unknown' AND attempts > 0) GROUP BY 1`),
  ]);
  const { count = 0, oldest, keyed = 0 } = waiting?.results[0] ?? {};
  const failures = new Map(failed?.results.map(({ reason, count }) => [reason, count]));
  return [
    {
      name: "hourstracker_outbox_waiting_messages",
      type: "gauge",
      help: "Emails that wait to be sent, or to be sent again.",
      samples: [{ value: count }],
    },
    {
      name: "hourstracker_outbox_oldest_waiting_age_seconds",
      type: "gauge",
      help: "Time since the oldest waiting email was written; 0 if none waits.",
      samples: [{ value: typeof oldest === "number" ? secondsSince(oldest) : 0 }],
    },
    {
      name: "hourstracker_outbox_key_refused",
      type: "gauge",
      help: "1 while emails wait because the mail service refuses the key.",
      samples: [{ value: keyed }],
    },
    {
      name: "hourstracker_outbox_failed_messages",
      type: "gauge",
      help: "Emails that will not be tried again and were not sent or, with the reason unknown, may not have arrived.",
      samples: [...MESSAGE_FAILURES, "unknown"].map((reason) => ({
        labels: { reason },
        value: failures.get(reason) ?? 0,
      })),
    },
    {
      name: "hourstracker_database_size_bytes",
      type: "gauge",
      help: "Size of the database.",
      samples: [{ value: waiting?.meta.size_after ?? 0 }],
    },
  ];
}

/** What is known of backups, by place. */
interface BackupState {
  /** When the last backup was taken; null if none is known. */
  last(): Promise<Record<string, Date | null>>;
  failedAttempts(): Record<string, number>;
}

/** The age of the last backup of each place: `download` is GET /backup since the start. */
async function backupAges({ last }: BackupState): Promise<Metric[]> {
  return [
    {
      name: "hourstracker_backup_age_seconds",
      type: "gauge",
      help: "Time since the last backup, by its place; missing where none is known.",
      samples: Object.entries(await last()).flatMap(([place, taken]) =>
        taken ? [{ labels: { place }, value: secondsSince(taken.getTime()) }] : [],
      ),
    },
  ];
}

/** Separate, because it is also known while a place cannot be read. */
function backupFailures({ failedAttempts }: BackupState): Metric {
  return {
    name: "hourstracker_backup_failed_attempts",
    type: "gauge",
    help: "Attempts at the nightly backup that have failed in a row, by its place.",
    samples: Object.entries(failedAttempts()).map(([place, value]) => ({ labels: { place }, value })),
  };
}

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
  const visit: Visit = { id: getRequestId(request), method: request.method, route, userId: null, conflicts: [] };
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

/** A label's value by its name. */
type Labels = Record<string, string>;

/** One number of a metric. */
interface Sample {
  /** What follows the metric's name: `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: string;
  labels?: Labels;
  value: number;
}

/** A metric: its name by Prometheus' conventions, with the unit and, for a counter, `_total`. */
interface Metric {
  name: string;
  type: "counter" | "gauge" | "histogram";
  help: string;
  samples: Sample[];
}

/** The content type of `exposition`. */
const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in Prometheus' text format, version 0.0.4. A metric without samples is left out. */
export function exposition(metrics: Metric[]): string {
  const texts = metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(
        ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${number(value)}`,
      );
      return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
    });
  return texts.join("");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A number as Go's ParseFloat reads it, which is what Prometheus uses. */
function number(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
