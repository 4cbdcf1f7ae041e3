import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq, type SQL, sql } from "drizzle-orm";
import { batch, type Db, type Owner } from "#app/db/client.server.ts";
import { raiseRevisions } from "#app/db/commit.server.ts";
import { users } from "#app/db/schema.ts";
import { searchText } from "#app/plain-text.ts";
import { securityEvent } from "#app/server/logger.server.ts";
import { redirectTo } from "#app/server/page.server.ts";
import { unauthorized, userColumns } from "./access.server.ts";
import { namePath } from "./next-page.ts";
import type { DetailsChange } from "./user.schema.ts";
import type { User } from "./user.ts";

/**
 * Changes the name, the employee number and whether the user is emailed before a certificate ends, and returns the changed
 * user.
 *
 * The search text depends on both fields and on the email address, so the update requires that they are unchanged since
 * they were read. If another request changed them, the update is retried with the new values.
 * @throws as `unauthorized`, if the account was deleted
 */
export async function changeDetails(context: AppLoadContext, user: User, change: DetailsChange): Promise<User> {
  const { db } = context;
  for (let before = user; ; ) {
    const name = change.name === undefined ? before.name : change.name;
    const employeeNumber = change.employeeNumber === undefined ? before.employeeNumber : change.employeeNumber;
    const { changed, found } = await batch(db, {
      guard: raiseRevisions(db, sql`${user.id}`),
      changed: db
        .update(users)
        .set({
          name,
          employeeNumber,
          search: searchText(name, before.email, employeeNumber),
          ...(change.renewalEmails !== undefined && { renewalEmails: change.renewalEmails }),
        })
        .where(areDetailsUnchanged(before))
        .returning(userColumns),
      found: db.select(userColumns).from(users).where(eq(users.id, user.id)),
    });
    if (changed[0]) {
      securityEvent(context, "account_changed");
      return changed[0];
    }
    if (!found[0]) throw await unauthorized(context);
    before = found[0];
  }
}

/** The query for whether a user is emailed before a certificate ends. */
export function renewalEmailsOf(db: Db, owner: Owner) {
  return db.select({ renewalEmails: users.renewalEmails }).from(users).where(eq(users.id, owner));
}

/**
 * Whether a user is asked for their name before something shows others who they are: they have none, and have not pressed
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

/** The condition for a user whose name, employee number and email address are those that were read. */
export function areDetailsUnchanged({ id, email, name, employeeNumber }: User): SQL {
  return sql`id = ${id} AND email = ${email} AND name IS ${name} AND employee_number IS ${employeeNumber}`;
}
