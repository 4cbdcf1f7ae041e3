import type { UserRow } from "#app/db/schema.ts";

/** A user as anyone may see their own: always exactly these fields, and never the password's hash. */
export type User = Pick<UserRow, "id" | "email" | "name" | "employeeNumber" | "isAdmin" | "createdAt">;

/** What a welcome and a signature call somebody: the name, or the e-mail address without one (spec section 3). */
export function displayName({ name, email }: Pick<User, "name" | "email">): string {
  return name || email;
}

/** Why an admin does not delete themself: then the last one could. */
export const ADMIN_STAYS = "An admin can't delete their own account. Another admin can delete it.";
