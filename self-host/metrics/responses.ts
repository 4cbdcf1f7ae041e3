import type { ObservedResponse } from "#app/server/env.ts";
import { type Labels, type Metric, number, type Sample } from "./exposition.ts";

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

  add({ pattern, method, status, ms }: ObservedResponse): void {
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
