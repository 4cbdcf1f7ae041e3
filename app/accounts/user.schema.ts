import { z } from "zod";

import { characters, clearableText, email } from "#app/forms/fields.ts";
import { isCommonPassword, isPlainRun } from "./common-passwords.server.ts";

/** The longest password, in characters: longer ones would only cost time to hash. */
const PASSWORD_MAX = 128;

const emailAddress = email("Please enter a valid email address");

/** A new password (spec sections 5 and 9): at least 8 characters. */
export const newPassword = z
  .string({ error: "Password must be at least 8 characters" })
  .meta({ minLength: 8, maxLength: PASSWORD_MAX, format: "password" })
  .refine((value) => characters(value) >= 8, { message: "Password must be at least 8 characters", abort: true })
  .refine((value) => characters(value) <= PASSWORD_MAX, {
    message: `Password must be at most ${PASSWORD_MAX} characters`,
    abort: true, // the next check takes time quadratic in the length
  })
  .refine((value) => !isCommonPassword(value), {
    message: "This password is too common and easy to guess. Choose another one.",
    abort: true,
  })
  .refine((value) => !isPlainRun(value), {
    message:
      "One character repeated, or a run such as abcdefgh, is easy to guess. Choose another one, for example three words.",
  });

/** An existing password: any non-empty text. Its length is checked when it is set. */
const currentPassword = z.string({ error: "Password is required" }).min(1, "Password is required");

export const credentialsSchema = z.object(
  { email: emailAddress, password: currentPassword },
  { error: "A sign-in is an object with email and password" },
);

/** The details that the exported form shows beside the hours. */
const details = {
  name: clearableText("Name", { min: 2, tooShort: "Name must be at least 2 characters" }),
  employeeNumber: clearableText("Employee number"),
};

/** The page's form, where a blank field is missing. */
export const detailsForm = z.object({
  name: details.name.default(null),
  employeeNumber: details.employeeNumber.default(null),
});

/** The form that asks for a name, which has a button to skip it. */
export const nameForm = z.object({
  name: details.name.default(null).refine((name) => name !== null, { error: "Name must be at least 2 characters" }),
});

/** The buttons that switch the emails before a certificate expires on and off. */
export const renewalForm = z.object({
  renewalEmails: z.enum(["on", "off"], { error: "Choose on or off" }).transform((sent) => sent === "on"),
});

/** The JSON body: a missing field stays unchanged. */
export const detailsChangeSchema = z
  .object(
    {
      ...details,
      renewalEmails: z.boolean({ error: "renewalEmails must be true or false" }).meta({
        description: "Whether to email them 90, 30 and 7 days before a certificate expires. No answer has it",
      }),
    },
    { error: "A change is an object with name, employeeNumber or renewalEmails" },
  )
  .partial();

export const registrationSchema = z.object(
  { email: emailAddress, password: newPassword, ...detailsForm.shape },
  { error: "A registration is an object with email, password and, if you like, name and employeeNumber" },
);

export const resetRequestSchema = z.object(
  { email: emailAddress },
  { error: "A reset request is an object with email" },
);

export const newPasswordSchema = z.object(
  { password: newPassword },
  { error: "A new password is an object with password" },
);

const confirmPassword = z.string({ error: "Passwords do not match" });
const mismatch = { message: "Passwords do not match", path: ["confirmPassword"] };

/** The page's form, with the password typed twice. */
export const newPasswordForm = newPasswordSchema
  .extend({ confirmPassword })
  .refine(({ password, confirmPassword }) => password === confirmPassword, mismatch);

export const passwordChangeSchema = z.object(
  { currentPassword, newPassword },
  { error: "A change of password is an object with currentPassword and newPassword" },
);

export const passwordChangeForm = passwordChangeSchema
  .extend({ confirmPassword })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, mismatch);

export const emailChangeSchema = z.object(
  { email: emailAddress, password: currentPassword },
  { error: "A change of email address is an object with email and password" },
);

export const deletionSchema = z.object(
  { password: currentPassword },
  { error: "A deletion is an object with password" },
);

export type Credentials = z.output<typeof credentialsSchema>;
export type Registration = z.output<typeof registrationSchema>;
export type DetailsChange = z.output<typeof detailsChangeSchema>;
export type PasswordChange = z.output<typeof passwordChangeSchema>;
export type EmailChange = z.output<typeof emailChangeSchema>;
