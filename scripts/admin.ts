import { promote } from "#app/admin/promote.server.ts";
import { fail } from "#scripts/lib/process.ts";
import { emailArgs, withDatabase } from "#scripts/lib/remote.ts";

const USAGE = "npm run admin -- someone@example.com [--remote]";

/** `npm run admin -- EMAIL`: makes a registered account an admin, locally or with `--remote` on Cloudflare. */
export default async function admin(args: string[]): Promise<void> {
  const { isRemote, email } = emailArgs(args, "Which account should become an admin?", USAGE);
  const message = await withDatabase(isRemote, (execute) => promote(execute, email));
  console.log(message ?? fail(`No account has the email address ${email}. Register it first.`));
}
