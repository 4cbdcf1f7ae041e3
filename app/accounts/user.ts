import type { UserRow } from "#app/db/schema.ts";

/** A user as the API returns it: always exactly these fields, never the password hash. */
export type User = Pick<
  UserRow,
  "id" | "email" | "name" | "employeeNumber" | "isAdmin" | "createdAt" | "emailConfirmedAt"
>;

/** The name in welcomes and signatures: the user's name, or the e-mail address without one (spec section 3). */
export function displayName({ name, email }: Pick<User, "name" | "email">): string {
  return name || email;
}

/** Why an admin cannot delete their own account: the last admin could. */
export const ADMIN_STAYS = "An admin can't delete their own account. Another admin can delete it.";
