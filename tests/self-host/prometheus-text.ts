/** A metric as a scraper reads it. */
export interface Scraped {
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,(?!$)|$)/y;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.+)\\})? (\\S+)$`);
const NUMBER = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its documentation describes it, without timestamps.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 * @throws {Error} for anything that a strict scraper would refuse
 */
export function parseExposition(text: string): Map<string, Scraped> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const metrics = new Map<string, Scraped>();
  const seen = new Set<string>();
  let helped = "";
  let current: { name: string; metric: Scraped } | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (metrics.has(name) || rest.replace(/\\[\\n]/g, "").includes("\\")) throw new Error(`a wrong HELP: ${line}`);
      helped = name;
    } else if (word === "TYPE") {
      if (helped !== name || metrics.has(name)) throw new Error(`a TYPE without its HELP, or again: ${line}`);
      if (!new RegExp(`^${NAME}$`).test(name) || !/^(counter|gauge|histogram)$/.test(rest)) throw new Error(line);
      current = { name, metric: { type: rest, samples: [] } };
      metrics.set(name, current.metric);
    } else {
      const [, full = "", labelText, value = ""] = SAMPLE.exec(line) ?? [];
      if (!current || !NUMBER.test(value)) throw new Error(`no sample: ${line}`);
      const suffix = full.startsWith(current.name) ? full.slice(current.name.length) : null;
      const suffixes = current.metric.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      if (suffix === null || !suffixes.includes(suffix)) throw new Error(`a sample of another metric: ${line}`);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(key)) throw new Error(`a sample twice: ${line}`);
      seen.add(key);
      current.metric.samples.push({ name: full, labels: labelsIn(labelText), value: numberOf(value) });
    }
  }
  for (const [name, metric] of metrics) check(name, metric);
  return metrics;
}

function labelsIn(text = ""): Record<string, string> {
  const labels: Record<string, string> = {};
  for (LABEL.lastIndex = 0; LABEL.lastIndex < text.length; ) {
    const [, name = "", value = ""] = LABEL.exec(text) ?? [];
    if (!name || name in labels) throw new Error(`labels that cannot be read: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
  }
  return labels;
}

function numberOf(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

/** A counter ends in _total and is not negative; the buckets of a histogram grow, and the last has its count. */
function check(name: string, { type, samples }: Scraped): void {
  if (samples.length === 0) throw new Error(`${name} has no sample`);
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`);
  if (type !== "gauge" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is negative`);
  if (type !== "histogram") return;
  const series = new Map<string, Scraped["samples"]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, all] of series) {
    const buckets = all.filter((sample) => sample.name === `${name}_bucket`);
    const limits = buckets.map(({ labels }) => numberOf(labels.le ?? ""));
    const isSorted = (numbers: number[]) =>
      numbers.every((one, index) => index === 0 || one >= (numbers[index - 1] ?? 0));
    const count = all.find((sample) => sample.name === `${name}_count`)?.value;
    const hasSum = all.some((sample) => sample.name === `${name}_sum`);
    const isWhole =
      limits.at(-1) === Number.POSITIVE_INFINITY && isSorted(limits) && isSorted(buckets.map(({ value }) => value));
    if (!isWhole || !hasSum || count !== buckets.at(-1)?.value) throw new Error(`the histogram ${key} is broken`);
  }
}
