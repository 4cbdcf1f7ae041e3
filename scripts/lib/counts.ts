/** The result of a suite. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failed test: its name, then the reason from the second line on. */
  failures: string[];
}

/** The counts of a suite that ended without a report. */
export const CRASHED: Counts = { passed: 0, failed: 1, skipped: 0, failures: [] };

export function sumOf(all: Counts[]): Counts {
  const total = (of: (counts: Counts) => number) => all.reduce((sum, counts) => sum + of(counts), 0);
  return {
    passed: total(({ passed }) => passed),
    failed: total(({ failed }) => failed),
    skipped: total(({ skipped }) => skipped),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** Counts the tests in a JUnit report, the format of Vitest and Playwright. */
export function countsIn(report: string): Counts {
  const tests = report.split(/^\s*<testcase /m).slice(1);
  const failed = tests.filter((test) => /<(failure|error)\b/.test(test));
  const skipped = tests.filter((test) => !failed.includes(test) && test.includes("<skipped"));
  return {
    passed: tests.length - failed.length - skipped.length,
    failed: failed.length,
    skipped: skipped.length,
    failures: failed.map(failureIn),
  };
}

function failureIn(test: string): string {
  const of = (attribute: string) => new RegExp(`\\b${attribute}="([^"]*)"`).exec(test)?.[1] ?? "";
  const [, why = ""] =
    /<(?:failure|error)\b[^>]*>(?:\s*<!\[CDATA\[)?\s*([\s\S]*?)(?:\]\]>\s*)?<\/(?:failure|error)>/.exec(test) ?? [];
  return decoded(`${of("classname")} › ${of("name")}\n${why.trimEnd()}`);
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

function decoded(text: string): string {
  return text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}
