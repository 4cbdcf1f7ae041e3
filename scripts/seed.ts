import { isThisMachine } from "#app/server/request-line.ts";
import { originProblem } from "#app/server/settings.ts";
import { fillDemo, HasEventsError } from "#demo/fill-demo.ts";
import { fillLarge, largeEmail } from "#demo/large.ts";
import { DEMO_ADMIN, DEMO_TECHNICIAN } from "#demo/people.ts";
import { withLocalDatabase } from "#scripts/lib/local.ts";
import { fail } from "#scripts/lib/process.ts";
import { portSetting, sessionSecret } from "#scripts/lib/settings.ts";

const USAGE = "npm run seed [-- --large]";

/**
 * `npm run seed`: a demo technician with a year of records, and an admin with a company of 30 technicians. With `--large`
 * also a million entries, for measurements.
 */
export default async function seed(args: string[]): Promise<void> {
  // npm takes an option before `--` as its own, and passes it on in the environment.
  const { npm_config_large, npm_config_remote, PUBLIC_ORIGIN } = process.env;
  const options = new Set([...args, npm_config_large && "--large", npm_config_remote && "--remote"].filter(Boolean));
  const isLarge = options.delete("--large");
  if (options.size > 0) fail(`${USAGE}: it fills the local database, and never a remote one.`);
  const problem = originProblem(PUBLIC_ORIGIN);
  if (problem) fail(problem);
  const { origin: setOrigin, host } = new URL(PUBLIC_ORIGIN || `http://localhost:${portSetting() || 8787}`);
  // The passwords below are public.
  if (!isThisMachine(host))
    fail(
      `The demo's passwords are known to everybody, so it is not added to ${setOrigin}. Unset PUBLIC_ORIGIN for a local demo.`,
    );

  await withLocalDatabase(async (database, address) => {
    const origin = PUBLIC_ORIGIN || !address ? setOrigin : address; // of the running app, whatever PORT is here
    const { accounts, openLink } = await fillDemo({ database, origin, secret: sessionSecret() }, () =>
      console.log("Adding the demo, which takes about half a minute …"),
    ).catch((error) => {
      throw error instanceof HasEventsError ? fail(error.message) : error;
    });
    console.log(
      accounts > 0 ? `Added the demo: ${accounts} accounts with their records.` : "The demo is there already.",
    );
    console.log(`Sign in at ${origin}/auth\n`);
    for (const { email, password } of [DEMO_TECHNICIAN, DEMO_ADMIN]) console.log(`  ${email.padEnd(20)}${password}`);
    if (openLink) console.log(`\nA supervisor would open ${openLink}`);
    if (!isLarge) return;
    console.log("\nAdding 1,000,000 entries …");
    const added = await fillLarge(database);
    console.log(added > 0 ? `Added ${added.toLocaleString("en")} entries.` : "The large data is there already.");
    console.log(
      `100,000 entries: ${largeEmail(0)}; 10,000: ${largeEmail(1)}; the password is ${DEMO_TECHNICIAN.password}`,
    );
  });
}
