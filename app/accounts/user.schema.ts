import { z } from "zod";
import { characters, email, optionalText } from "#app/http/fields.ts";
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
  })
  .refine((value) => !isCommonPassword(value), {
    message: "That password is one of the first that others would try. Choose another.",
  });

export const credentialsSchema = z.object({
  email: emailAddress,
  // Any non-empty one: how long it must be is asked where it is set, not where it is used.
  password: z.string({ error: "Password is required" }).min(1, "Password is required"),
});

export const registrationSchema = z.object({
  email: emailAddress,
  password: newPassword,
  name: optionalText("Name", { min: 2, tooShort: "Name must be at least 2 characters" }),
  employeeNumber: optionalText("Employee number"),
});

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

/** The page's form, where it is typed twice. */
export const newPasswordForm = newPasswordSchema
  .extend({ confirmPassword: z.string({ error: "Passwords do not match" }) })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    message: "Passwords do not match",
    path: ["confirmPassword"],
  });

export type Credentials = z.output<typeof credentialsSchema>;
export type Registration = z.output<typeof registrationSchema>;
