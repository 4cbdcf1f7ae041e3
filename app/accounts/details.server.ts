import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import type { Db, Owner } from "#app/db/client.server.ts";
import { commit, retryOnConflict } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/plain-text.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { requireUser, userColumns } from "./access.server.ts";
import { namePath } from "./next-page.ts";
import type { DetailsChange } from "./user.schema.ts";
import type { User } from "./user.ts";

/**
 * Changes the signed-in user's name, employee number and whether they are emailed before a certificate expires, and returns the
 * user then. A name or number that is the same already is not stored again.
 * @throws as `requireUser`
 */
export function changeDetails(context: AppLoadContext, change: DetailsChange): Promise<User> {
  const { db } = context;
  return retryOnConflict(context, "change_details", async () => {
    const { user, account } = await requireUser(context);
    const { renewalEmails } = change;
    const name = change.name === undefined ? user.name : change.name;
    const employeeNumber = change.employeeNumber === undefined ? user.employeeNumber : change.employeeNumber;
    if (name === user.name && employeeNumber === user.employeeNumber) {
      if (renewalEmails === undefined) return user;
      // No act depends on this setting, so it needs no guard.
      await db.update(users).set({ renewalEmails }).where(eq(users.id, user.id));
      securityEvent(context, "account_changed");
      return user;
    }
    const search = searchText(name, user.email, employeeNumber);
    const { changed } = await commit(db, [account], {
      changed: db
        .update(users)
        .set({ name, employeeNumber, search, renewalEmails })
        .where(eq(users.id, user.id))
        .returning(userColumns),
    });
    securityEvent(context, "account_changed");
    return changed[0] as User; // the guard requires that it exists
  });
}

/** The query for whether a user is emailed before a certificate expires. */
export function renewalEmailsOf(db: Db, owner: Owner) {
  return db.select({ renewalEmails: users.renewalEmails }).from(users).where(eq(users.id, owner));
}

/**
 * Whether a user must enter their name before something shows others who they are: they have none, and have not pressed
 * Skip in this browser.
 */
export async function lacksName(context: AppLoadContext, request: Request, { id, name }: User): Promise<boolean> {
  return !name && (await context.cookies.nameSkipped(id).parse(request.headers.get("Cookie"))) === null;
}

/**
 * Asks a user without a name for it before the page that was requested.
 * @throws {Response} a redirect to the page that asks, which leads back
 */
export async function askForName(context: AppLoadContext, request: Request, user: User): Promise<void> {
  const { pathname, search } = context.url;
  if (await lacksName(context, request, user)) throw await redirectTo(context, namePath(pathname + search));
}
