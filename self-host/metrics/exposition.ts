/** A label's value by its name. */
export type Labels = Record<string, string>;

/** One number of a metric. */
export interface Sample {
  /** What follows the metric's name: `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: string;
  labels?: Labels;
  value: number;
}

/** A metric: its name by Prometheus' conventions, with the unit and, for a counter, `_total`. */
export interface Metric {
  name: string;
  type: "counter" | "gauge" | "histogram";
  help: string;
  samples: Sample[];
}

/** The content type of `exposition`. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

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
export function number(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
