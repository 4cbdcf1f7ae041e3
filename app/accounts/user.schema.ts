import { z } from "zod";

import { characters, clearableText, email } from "#app/forms/fields.ts";
import { isCommonPassword } from "./common-passwords.server.ts";

/** The longest password that can be set: hashing must not become a way to keep the server busy. */
const PASSWORD_MAX = 128;

const emailAddress = email("Please enter a valid email address");

/** A password that is being set (spec sections 5 and 9): 8 characters at least. */
export const newPassword = z
  .string({ error: "Password must be at least 8 characters" })
  .refine((value) => characters(value) >= 8, { message: "Password must be at least 8 characters", abort: true })
  .refine((value) => characters(value) <= PASSWORD_MAX, {
    message: `Password must be at most ${PASSWORD_MAX} characters`,
    abort: true, // what comes next takes time that grows with the square of the length
  })
  .refine((value) => !isCommonPassword(value), {
    message: "That password is one of the first that others would try. Choose another.",
  });

/** A password that somebody proves themself with. Any non-empty one: how long it must be is asked where it is set. */
const currentPassword = z.string({ error: "Password is required" }).min(1, "Password is required");

export const credentialsSchema = z.object({ email: emailAddress, password: currentPassword });

/** What stands on the form beside the hours. */
const details = {
  name: clearableText("Name", { min: 2, tooShort: "Name must be at least 2 characters" }),
  employeeNumber: clearableText("Employee number"),
};

/** The page's form of them, where a blank field arrives as none. */
export const detailsForm = z.object({
  name: details.name.default(null),
  employeeNumber: details.employeeNumber.default(null),
});

/** The JSON call's body: what it leaves out stays as it is. */
export const detailsChangeSchema = z
  .object(details, { error: "A change is an object with name or employeeNumber" })
  .partial();

export const registrationSchema = z.object({ email: emailAddress, password: newPassword, ...detailsForm.shape });

/** Who asks for a reset link. */
export const resetRequestSchema = z.object(
  { email: emailAddress },
  { error: "A reset request is an object with email" },
);

/** The JSON call's body: the new password. */
export const newPasswordSchema = z.object(
  { password: newPassword },
  { error: "A new password is an object with password" },
);

const confirmPassword = z.string({ error: "Passwords do not match" });
const mismatch = { message: "Passwords do not match", path: ["confirmPassword"] };

/** The page's form, where it is typed twice. */
export const newPasswordForm = newPasswordSchema
  .extend({ confirmPassword })
  .refine(({ password, confirmPassword }) => password === confirmPassword, mismatch);

/** The JSON call's body for another password. */
export const passwordChangeSchema = z.object(
  { currentPassword, newPassword },
  { error: "A change of password is an object with currentPassword and newPassword" },
);

/** The page's form, where the new one is typed twice. */
export const passwordChangeForm = passwordChangeSchema
  .extend({ confirmPassword })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, mismatch);

/** With what an account is deleted. */
export const deletionSchema = z.object(
  { password: currentPassword },
  { error: "A deletion is an object with password" },
);

export type Credentials = z.output<typeof credentialsSchema>;
export type Registration = z.output<typeof registrationSchema>;
export type DetailsChange = z.output<typeof detailsChangeSchema>;
export type PasswordChange = z.output<typeof passwordChangeSchema>;
