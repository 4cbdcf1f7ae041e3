import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { expect } from "vitest";
import { parse } from "yaml";

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; datasource: unknown }[];
  panels?: Panel[];
}

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

/** The metrics that Prometheus itself adds to each scraped server. */
const OF_PROMETHEUS = ["up"];

/**
 * Checks that the dashboard and the alert rules parse by Prometheus' own grammar and use only metrics that exist, and that
 * docs/metrics.md describes every one.
 */
export function checkDocuments(names: string[]): void {
  const known = new Set([
    ...OF_PROMETHEUS,
    ...names.flatMap((name) => [name, ...["bucket", "sum", "count"].map((part) => `${name}_${part}`)]),
  ]);
  const dashboard = JSON.parse(readFileSync("docs/grafana/hours-tracker.json", "utf8")) as {
    panels: Panel[];
    uid: string;
  };
  const targets = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  expect(targets.length).toBeGreaterThan(8);
  const { groups } = parse(readFileSync("docs/grafana/alerts.yml", "utf8")) as {
    groups: { name: string; rules: Rule[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules);
  for (const { alert, labels, annotations, for: time = "" } of rules) {
    expect([alert, labels.severity, time]).toEqual([
      alert,
      expect.stringMatching(/^(critical|warning)$/),
      expect.stringMatching(/^\d+[mh]$/),
    ]);
    expect(annotations.summary && annotations.description).toBeTruthy();
  }
  for (const { title, expr } of [...targets, ...rules.map(({ alert, expr }) => ({ title: alert, expr }))]) {
    const used = metricsIn(expr);
    expect([title, used.length > 0, used.filter((name) => !known.has(name))]).toEqual([title, true, []]);
  }
  const text = readFileSync("docs/metrics.md", "utf8");
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  expect(rules.filter(({ alert }) => !text.includes(alert))).toEqual([]);
  const shown = new Set([...targets, ...rules].flatMap(({ expr }) => metricsIn(expr)));
  expect(names.filter((name) => ![name, `${name}_bucket`, `${name}_count`].some((one) => shown.has(one)))).toEqual([]);
}

/** The expression of a panel of the dashboard. */
export function exprOf(title: string): string {
  const dashboard = JSON.parse(readFileSync("docs/grafana/hours-tracker.json", "utf8")) as { panels: Panel[] };
  return dashboard.panels.find((panel) => panel.title === title)?.targets?.[0]?.expr ?? "";
}

/** The metrics that an expression of PromQL uses. @throws {Error} if Prometheus could not parse it */
function metricsIn(expr: string): string[] {
  const plain = expr.replaceAll("$__rate_interval", "5m").replaceAll("$__range", "1h"); // Grafana's own
  const names: string[] = [];
  parser.parse(plain).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`this is no PromQL: ${expr}`);
      if (node.name === "VectorSelector") names.push(/^[\w:]+/.exec(plain.slice(node.from, node.to))?.[0] ?? "");
    },
  });
  return names;
}
