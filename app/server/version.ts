/** The version of the app, as package.json and CHANGELOG.md have it; tests/spec/version.test.ts compares them. */
export const VERSION = "0.1.0";

/** How old workerd may be, in days: it has the fixes of V8's and its own security only up to its day. */
export const RUNTIME_DAYS = 90;

/** A version of workerd and its day, as `YYYY-MM-DD`. */
export interface Runtime {
  version: string;
  builtOn: string;
  /** How old it is. */
  days: number;
}

/** Reads the day from a version of workerd, such as `1.20261117.1`. */
export function runtimeOf(version: string, today: Date): Runtime {
  const [, year = "", month, day] = /^\d+\.(\d{4})(\d\d)(\d\d)\.\d+$/.exec(version) ?? [];
  const builtOn = `${year}-${month}-${day}`;
  const days = Math.floor((today.getTime() - Date.parse(builtOn)) / (24 * 60 * 60 * 1000));
  return { version, builtOn, days };
}
