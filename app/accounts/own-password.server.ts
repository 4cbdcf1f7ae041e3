import type { AppLoadContext } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import { users } from "#app/db/schema.ts";
import { readJson } from "#app/http/api.server.ts";
import { securityEvent } from "#app/http/log.server.ts";
import { Refusal } from "#app/http/refusal.ts";
import { requireUser } from "./access.server.ts";
import { verifyPassword } from "./password.server.ts";
import type { User } from "./user.ts";

/**
 * Asks the signed-in person for their password once more: who leaves a phone lying about shall not lose the account
 * with it. `field` is what the form calls it. Returns the hash as it was read, for the condition of what follows.
 * @throws as `requireUser`, and {Refusal} 400 on the field where it is another one
 */
export async function requirePassword(
  context: AppLoadContext,
  password: string,
  field: string,
): Promise<{ user: User; hash: string }> {
  const { user, known } = await requireUser(context, (owner, db) => ({
    known: db.select({ password: users.password }).from(users).where(eq(users.id, owner)),
  }));
  const hash = known[0]?.password;
  if (hash && (await verifyPassword(password, hash))) return { user, hash };
  securityEvent(context, "password_refused");
  throw wrongPassword(field);
}

/** What is said of a password that is not the account's. */
export function wrongPassword(field: string): Refusal {
  const message = "That is not your current password";
  return new Refusal(400, message, [{ path: field, message }]);
}

/**
 * Reads a JSON body before it is known who asks, so that both can be asked of the database at once.
 * @throws for a body that is none as `requireUser` does, and only then {Refusal} 400: the order of docs/api.md
 */
export async function readJsonOfUser<Schema extends z.ZodType>(
  context: AppLoadContext,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return await readJson(request, schema);
  } catch (error) {
    await requireUser(context);
    throw error;
  }
}
