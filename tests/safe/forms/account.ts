import { PASSWORD } from "#tests/worker/people.ts";
import { type Action, form, KEY, NEW_LINK, NEW_SESSION } from "../action.ts";

const NEW_PASSWORD = "a brand new password";

/** The forms of accounts: sign in and out, account page, reset. */
export const ACCOUNT_FORMS: Action[] = [
  form("auth", "Login", {
    who: "nobody",
    path: () => "/auth",
    fields: ({ owner }) => ({ email: owner.user.email, password: PASSWORD }),
    says: ["Login failed"],
    keeps: {},
    again: NEW_SESSION,
  }),
  form("auth", "Register", {
    who: "nobody",
    path: () => "/auth?tab=register",
    fields: () => ({ email: "new@example.com", password: PASSWORD, name: "Kari Ås", employeeNumber: "NDT-7" }),
    says: ["Registration failed"],
    keeps: { email: "new@example.com", name: "Kari Ås", employeeNumber: "NDT-7" },
    again: "refused",
  }),
  form("logout", "", {
    who: "owner",
    path: () => "/logout",
    fields: () => ({}),
    says: ["Failed to log out. Please try again."],
  }),
  form("account/details", "", {
    who: "owner",
    path: () => "/account/details",
    fields: () => ({ name: "Kari Ås", employeeNumber: "NDT-8" }),
    says: ["Failed to save your details. Please try again."],
    keeps: { name: "Kari Ås", employeeNumber: "NDT-8" },
  }),
  form("account/name", "", {
    who: "owner",
    path: () => "/account/name?next=/requests/new",
    fields: () => ({ name: "Kari Ås" }),
    says: ["Failed to save your details. Please try again."],
    keeps: { name: "Kari Ås" },
  }),
  form("account/password", "", {
    who: "owner",
    path: () => "/account/password",
    fields: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    says: ["Failed to change your password. Please try again."],
    again: "refused",
  }),
  form("account/email", "", {
    who: "owner",
    path: () => "/account/email",
    fields: ({ freshEmail }) => ({ email: freshEmail, password: PASSWORD }),
    says: ["Failed to send the link. Please try again."],
    again: NEW_LINK,
  }),
  form("account/email/resend", "", {
    who: "owner",
    path: () => "/account/email/resend",
    fields: () => ({}),
    says: ["Failed to send the link. Please try again."],
    again: NEW_LINK,
  }),
  form("account/email/:token", "", {
    who: "nobody",
    path: ({ changeToken }) => `/account/email/${changeToken}`,
    fields: () => ({}),
    says: ["Failed to use the link. Please try again."],
    again: "refused",
  }),
  form("account/sessions", "one", {
    who: "owner",
    path: () => "/account/sessions",
    fields: ({ ownSession }) => ({ session: ownSession }),
    says: ["Failed to end the session If it is still here, please try again."],
  }),
  form("account/sessions", "all others", {
    who: "owner",
    path: () => "/account/sessions",
    fields: () => ({ session: "others" }),
    says: ["Failed to end the session If it is still here, please try again."],
  }),
  form("account/tokens/:key?", "", {
    who: "owner",
    path: () => `/account/tokens/${KEY}`,
    fields: () => ({ name: "Payroll", access: "read" }),
    says: ["Failed to make the token. Please try again."],
    keeps: { name: "Payroll" },
    again: "refused",
  }),
  form("account/end-token", "", {
    who: "owner",
    path: () => "/account/end-token",
    fields: ({ readTokenId }) => ({ token: String(readTokenId) }),
    says: ["Failed to end the token If it is still here, please try again."],
  }),
  form("account/delete", "", {
    who: "owner",
    path: () => "/account/delete",
    fields: () => ({ password: PASSWORD }),
    says: ["Failed to delete the account. If you can still log in, please try again."],
  }),
  form("reset-password", "", {
    who: "nobody",
    path: () => "/reset-password",
    fields: ({ owner }) => ({ email: owner.user.email }),
    says: ["Failed to send reset link An error occurred. Please try again."],
    again: NEW_LINK,
  }),
  form("reset-password/:token", "", {
    who: "nobody",
    path: ({ resetToken }) => `/reset-password/${resetToken}`,
    fields: () => ({ password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    says: ["Failed to reset password An error occurred. Please try again."],
    again: "refused",
  }),
];
