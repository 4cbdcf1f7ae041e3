import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import { register } from "#app/accounts/accounts.server.ts";
import { batch } from "#app/db/client.server.ts";
import { outbox } from "#app/db/schema.ts";
import { AppError } from "#app/errors.ts";
import { newRequestMail } from "#app/mail/outbox.server.ts";
import { addEntries } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { loadContext } from "#app/server/context.server.ts";
import { addSupervisor, type Supervisor } from "#app/supervisors/supervisors.server.ts";
import { confirm } from "#app/verification/confirm/confirm.server.ts";
import { requestVerification, verificationUrl } from "#app/verification/requests/request.server.ts";
import { DEMO_SUPERVISORS, DEMO_TECHNICIAN, demoWork } from "#scripts/lib/demo.ts";
import { withLocalDatabase } from "#scripts/lib/local.ts";
import { fail } from "#scripts/lib/process.ts";
import { portSetting, sessionSecret } from "#scripts/lib/settings.ts";

const { email, password } = DEMO_TECHNICIAN;

/** The number of newest entries without a request, and of those before them with an open one. */
const UNASKED = 9;
const WAITING = 5;

/**
 * `npm run seed`: creates a demo technician with 40 entries over three months, most of them verified by two
 * supervisors. It uses the app's own functions, so the data is realistic.
 */
export default async function seed(args: string[]): Promise<void> {
  // npm takes a `--remote` before `--` as its own option, which is then in the environment.
  if (args.length > 0 || process.env.npm_config_remote)
    fail("npm run seed takes no arguments: it fills the local database, and never a remote one.");
  const origin = new URL(process.env.PUBLIC_ORIGIN || `http://localhost:${portSetting() || 8787}`).origin;
  const openLink = await withLocalDatabase((database) => fill(database, origin));
  console.log(openLink ? "Added the demo technician, with 40 entries." : "The demo technician exists already.");
  console.log(`Sign in at ${origin}/auth\n\n  Email     ${email}\n  Password  ${password}`);
  if (openLink) console.log(`\nA supervisor would open ${openLink}`);
}

/** Returns the link of an open request, or null if the demo technician already exists. */
async function fill(database: D1Database, origin: string): Promise<string | null> {
  const visitor = await contextOf(database, origin, null);
  const signedIn = await register(visitor, DEMO_TECHNICIAN).catch((error) => {
    if (error instanceof AppError && error.status === 409) return null;
    throw error;
  });
  if (!signedIn) return null;

  const technician = () => contextOf(database, origin, signedIn.sessionToken);
  const { db, now } = visitor;
  const supervisors: Supervisor[] = [];
  for (const supervisor of DEMO_SUPERVISORS) {
    const { inserted } = await batch(db, addSupervisor(db, signedIn.user, supervisor, null, now));
    supervisors.push(...inserted);
  }
  const work = demoWork(now);
  const entries = work.map(({ entry }) => entry);
  const saved = await addEntries(db, signedIn.user.id, entries, null, now);

  let openLink: string | null = null;
  for (const [index, { id }] of saved.entries.slice(0, -UNASKED).entries()) {
    const supervisor = supervisors[work[index]?.supervisor ?? 0];
    if (!supervisor) throw new Error("the demo has an entry without a supervisor");
    const context = await technician();
    const { token } = await requestVerification(context, entryKind, id, async () => ({ supervisorId: supervisor.id }));
    if (index >= work.length - UNASKED - WAITING) openLink = verificationUrl(context, token);
    else await confirm(await contextOf(database, origin, null), token, supervisor.name);
  }
  // The demo sends no emails, and its pages should not show failed ones.
  await db.delete(outbox).where(eq(outbox.userId, signedIn.user.id));
  return openLink;
}

/** The load context of a request with this session, or of a visitor if it is null. */
async function contextOf(database: D1Database, origin: string, sessionToken: string | null): Promise<AppLoadContext> {
  const env = { DB: database, PUBLIC_ORIGIN: origin };
  const context = await loadContext(new Request(origin), env, sessionSecret(), newRequestMail(false), {
    id: "seed",
    method: "POST",
    route: "scripts/seed",
    userId: null,
  });
  return { ...context, sessionToken };
}
