import { fail, run } from "#scripts/lib/process.ts";

/**
 * `npm run mail:faults [-- 1000]`: tests the outbox under this many random schedules of faults, and measures how much
 * longer a page takes while the mail service hangs. Prints the figures.
 */
export default async function mailFaults([count = "1000", ...others]: string[]): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(count) || others.length > 0) fail("How many schedules? npm run mail:faults [-- 1000]");
  const files = ["tests/worker/mail-schedules.test.ts", "tests/safe/mail-page.timing.ts"];
  // The flag is last: it would take a file after it as its value.
  const projects = ["--project", "worker", "--project", "timing"];
  const args = ["run", "--config", "remix.config.ts", ...projects, ...files, "--disable-console-intercept"];
  const { status } = await run("vitest", args, { env: { MAIL_SCHEDULES: count, SAFE: "1" } });
  process.exit(status);
}
