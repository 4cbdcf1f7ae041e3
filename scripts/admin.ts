import { parseArgs } from "node:util";
import { registrationSchema } from "#app/accounts/user.schema.ts";
import { withLocalDatabase } from "#scripts/lib/local.ts";
import { fail, messageOf } from "#scripts/lib/process.ts";
import { remoteDatabase } from "#scripts/lib/remote.ts";

const USAGE = "npm run admin -- someone@example.com [--remote]";

/** Runs one statement and returns its rows. */
type Execute = (sql: string) => Promise<Record<string, unknown>[]>;

/** `npm run admin -- EMAIL`: makes an account that has registered an admin, here or with `--remote` on Cloudflare. */
export default async function admin(args: string[]): Promise<void> {
  const { email, remote } = parse(args);
  const report = remote
    ? await promote(remoteDatabase(), email)
    : await withLocalDatabase((database) => promote(async (sql) => (await database.prepare(sql).all()).results, email));
  console.log(report ?? fail(`No account has the email address ${email}. Register it first.`));
}

function parse(args: string[]): { email: string; remote: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { remote: { type: "boolean" } },
      allowPositionals: true,
    });
    const [text, ...others] = positionals;
    if (!text || others.length > 0) fail(`Which account shall be an admin? ${USAGE}`);
    const email = registrationSchema.shape.email.safeParse(text);
    if (!email.success) fail(`${text} is no email address. ${USAGE}`);
    // npm keeps a `--remote` that stands before `--` for itself, and says so here.
    return { email: email.data, remote: values.remote ?? process.env.npm_config_remote === "true" };
  } catch (error) {
    fail(`${messageOf(error)}\n${USAGE}`);
  }
}

/** Makes the account an admin. Returns what to tell the person, or null where there is no such account. */
async function promote(execute: Execute, email: string): Promise<string | null> {
  const isThis = `email = ${quoted(email)}`;
  const made = await execute(`UPDATE users SET is_admin = 1 WHERE ${isThis} AND is_admin = 0 RETURNING email`);
  if (made.length > 0) return `${email} is an admin now, from the next page on.`;
  const found = await execute(`SELECT email FROM users WHERE ${isThis}`);
  return found.length > 0 ? `${email} is an admin already.` : null;
}

/** Text as SQL has it: wrangler takes statements without bound values. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
