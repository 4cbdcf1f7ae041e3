import { eraseSupervisor, oneByOne } from "#app/supervisors/erase-supervisor.server.ts";
import { fail } from "#scripts/lib/process.ts";
import { emailArgs, withDatabase } from "#scripts/lib/remote.ts";

const USAGE = "npm run erase-supervisor -- someone@example.com [--remote]";

/** `npm run erase-supervisor -- EMAIL`: erases what is stored about a supervisor, here or with `--remote` on Cloudflare. */
export default async function erase(args: string[]): Promise<void> {
  const { isRemote, email } = emailArgs(args, "Whose data should be erased?", USAGE);
  const { addresses, count, rows } = await withDatabase(isRemote, (execute) =>
    eraseSupervisor(oneByOne(execute), email),
  );
  if (count === 0) fail(`Nothing is stored about ${email}, so nothing was erased. Check the spelling.`);
  console.log(`Erased what was stored about ${addresses.join(", ")}: ${rows}.`);
}
