import { afterEach, expect, test, vi } from "vitest";
import { exposition, Responses, Sweeps } from "#self-host/metrics-endpoint.ts";
import { parseExposition } from "#tests/self-host/prometheus-text.ts";

afterEach(() => vi.useRealTimers());

// Catches a value that ends its line or its quotes: a scraper would drop the whole page.
test("every text of a label and a help is escaped, and numbers are written as Prometheus reads them", () => {
  const hostile = 'a"b\\c\nd} 1';
  const text = exposition([
    { name: "one", type: "gauge", help: "a \\ and\na line", samples: [{ labels: { x: hostile }, value: 1e21 }] },
    {
      name: "two",
      type: "gauge",
      help: "h",
      samples: [{ value: Number.POSITIVE_INFINITY }, { labels: { n: "1" }, value: Number.NaN }],
    },
    { name: "three", type: "gauge", help: "without samples", samples: [] },
  ]);
  expect(text).toBe(
    '# HELP one a \\\\ and\\na line\n# TYPE one gauge\none{x="a\\"b\\\\c\\nd} 1"} 1e+21\n' +
      '# HELP two h\n# TYPE two gauge\ntwo +Inf\ntwo{n="1"} NaN\n',
  );
  expect(parseExposition(text).get("one")?.samples).toEqual([{ name: "one", labels: { x: hostile }, value: 1e21 }]);
});

test("responses are counted by route, method and status, and their time in buckets up to their limit", () => {
  const responses = new Responses();
  const add = (ms: number, status = 200, method = "GET") =>
    responses.add({ pattern: "/auth", method, status, ms, conflicts: [] });
  for (const ms of [0, 5, 6, 250, 10_000, 10_001, -3]) add(ms);
  add(1, 500);
  add(1, 303, "POST");
  const metrics = parseExposition(exposition(responses.metrics()));
  const valuesOf = (name: string) =>
    metrics.get(`hourstracker_http_${name}`)?.samples.map(({ labels, value }) => [labels.method, labels.status, value]);
  expect(valuesOf("requests_total")).toEqual([
    ["GET", "200", 7],
    ["GET", "500", 1],
    ["POST", "303", 1],
  ]);
  expect(valuesOf("errors_total")).toEqual([
    ["GET", undefined, 1],
    ["POST", undefined, 0],
  ]);
  const { samples = [] } = metrics.get("hourstracker_http_request_duration_seconds") ?? {};
  const gets = samples.filter(({ labels }) => labels.method === "GET");
  expect(gets.flatMap(({ labels, value }) => (labels.le ? [[labels.le, value]] : []))).toEqual([
    ["0.005", 4],
    ["0.01", 5],
    ["0.025", 5],
    ["0.05", 5],
    ["0.1", 5],
    ["0.25", 6],
    ["0.5", 6],
    ["1", 6],
    ["2.5", 6],
    ["5", 6],
    ["10", 7],
    ["+Inf", 8],
  ]);
  expect(gets.at(-2)?.value).toBeCloseTo(20.263);
});

test("conflicts are counted by the act that was decided again", () => {
  const responses = new Responses();
  for (const conflicts of [["answer", "answer"], [], ["edit"]])
    responses.add({ pattern: "/*", method: "POST", status: 200, ms: 1, conflicts });
  const metrics = parseExposition(exposition(responses.metrics()));
  expect(metrics.get("hourstracker_conflicts_total")?.samples.map(({ labels, value }) => [labels.act, value])).toEqual([
    ["answer", 2],
    ["edit", 1],
  ]);
});

// Catches a label that a client chooses: each would be a series for as long as the program runs.
test("methods that are not of HTTP's common ones are counted together", () => {
  const responses = new Responses();
  for (const method of ["PROPFIND", 'X"\n', "get", "__proto__"])
    responses.add({ pattern: "/*", method, status: 405, ms: 1, conflicts: [] });
  expect(responses.metrics()[0]?.samples).toEqual([
    { labels: { route: "/*", method: "other", status: "405" }, value: 4 },
  ]);
});

test("the age of a sweep counts from the start, then from the last that succeeded, and is never negative", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00Z"), toFake: ["Date"] });
  const sweeps = new Sweeps();
  sweeps.begin();
  const values = () => sweeps.metrics().map(({ samples }) => samples[0]?.value);
  const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
  later(90);
  expect(values()).toEqual([90, 0]);
  await expect(sweeps.run(() => Promise.reject(new Error("the disk is full")))).rejects.toThrow("the disk is full");
  expect(values()).toEqual([90, 1]);
  await sweeps.run(async () => {});
  later(5);
  expect(values()).toEqual([5, 1]);
  later(-3600);
  expect(values()).toEqual([0, 1]);
});
