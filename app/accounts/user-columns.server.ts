import { users } from "#app/db/schema.ts";

/** The columns of `User`. The password hash is read only where it is checked. */
export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  employeeNumber: users.employeeNumber,
  isAdmin: users.isAdmin,
  createdAt: users.createdAt,
  emailConfirmedAt: users.emailConfirmedAt,
};
