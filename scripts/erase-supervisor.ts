import { registrationSchema } from "#app/accounts/user.schema.ts";
import { eraseSupervisor, oneByOne } from "#app/supervisors/erase-supervisor.server.ts";
import { fail } from "#scripts/lib/process.ts";
import { databaseArgs, withDatabase } from "#scripts/lib/remote.ts";

const USAGE = "npm run erase-supervisor -- someone@example.com [--remote]";

/** `npm run erase-supervisor -- EMAIL`: erases what is stored about a supervisor, here or with `--remote` on Cloudflare. */
export default async function erase(args: string[]): Promise<void> {
  const { isRemote, positionals } = databaseArgs(args, USAGE);
  const [text, ...others] = positionals;
  if (!text || others.length > 0) fail(`Whose data should be erased? ${USAGE}`);
  const { success, data: email } = registrationSchema.shape.email.safeParse(text);
  if (!success) fail(`${text} is not an email address. ${USAGE}`);
  const { addresses, count, rows } = await withDatabase(isRemote, (execute) =>
    eraseSupervisor(oneByOne(execute), email),
  );
  if (count === 0) fail(`Nothing is stored about ${email}, so nothing was erased. Check the spelling.`);
  console.log(`Erased what was stored about ${addresses.join(", ")}: ${rows}.`);
}
