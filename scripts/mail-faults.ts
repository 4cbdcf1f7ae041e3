import { run } from "#scripts/lib/process.ts";

/**
 * `npm run mail:faults [-- 1000]`: the outbox under so many seeded schedules of faults, and how much longer a page
 * takes while the mail service hangs. Prints the figures.
 */
export default async function mailFaults([count = "1000"]: string[]): Promise<void> {
  const files = ["tests/worker/mail-schedules.test.ts", "tests/safe/mail-page.timing.ts"];
  // The flag comes last: it would take a file after it for its value.
  const projects = ["--project", "worker", "--project", "timing"];
  const args = ["run", "--config", "remix.config.ts", ...projects, ...files, "--disable-console-intercept"];
  const { status } = await run("vitest", args, { env: { MAIL_SCHEDULES: count } });
  process.exit(status);
}
