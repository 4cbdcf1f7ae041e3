import { index, type RouteConfig, route } from "@remix-run/route-config";
import type { RecordKind } from "#app/db/enumerations.ts";

/**
 * A route whose address says which kind of record it is about. Both kinds share the module; the kind is the first part
 * of the route's id, from which `context.kind` has it (app/server/request-checks.server.ts).
 */
function ofKind(kind: RecordKind, path: string, module: string) {
  return route(path, `routes/${module}`, { id: `${kind}/${module.replace(/\.tsx?$/, "")}` });
}

/** Every address of the app. A route is private unless its `handle` says otherwise (app/server/route.ts). */
export default [
  index("routes/auth.tsx", { id: "home" }),
  route("auth", "routes/auth.tsx"),
  route("logout", "routes/logout.ts"),
  route("profile", "routes/profile.tsx"),
  route("profile/entries/:key?", "routes/profile.entries.tsx"),
  ofKind("entry", "profile/request/:id/:key?", "request.tsx"),
  ofKind("entry", "profile/record/:id", "record.tsx"),
  ofKind("entry", "profile/record/:id/withdraw", "record.withdraw.ts"),
  ofKind("entry", "profile/record/:id/edit", "record.edit.tsx"),
  ofKind("entry", "profile/record/:id/delete", "record.delete.tsx"),
  ofKind("entry", "profile/record/:id/restore", "record.restore.tsx"),
  route("profile/print", "routes/profile.print.tsx"),
  route("rope-hours", "routes/rope-hours.tsx"),
  route("rope-hours/new/:key?", "routes/rope-hours.new.tsx"),
  ofKind("rope_hour", "rope-hours/request/:id/:key?", "request.tsx"),
  ofKind("rope_hour", "rope-hours/record/:id", "record.tsx"),
  ofKind("rope_hour", "rope-hours/record/:id/withdraw", "record.withdraw.ts"),
  ofKind("rope_hour", "rope-hours/record/:id/edit", "record.edit.tsx"),
  ofKind("rope_hour", "rope-hours/record/:id/delete", "record.delete.tsx"),
  ofKind("rope_hour", "rope-hours/record/:id/restore", "record.restore.tsx"),
  route("account", "routes/account.tsx"),
  route("account/details", "routes/account.details.tsx"),
  route("account/password", "routes/account.password.tsx"),
  route("account/sessions", "routes/account.sessions.ts"),
  route("account/delete", "routes/account.delete.tsx"),
  route("admin", "routes/admin.tsx"),
  ofKind("entry", "admin/entry/:id", "admin.record.tsx"),
  ofKind("rope_hour", "admin/rope-hours/:id", "admin.record.tsx"),
  route("supervisors", "routes/supervisors.tsx"),
  route("supervisors/:id", "routes/supervisor.tsx"),
  route("supervisors/:id/delete", "routes/supervisor.delete.tsx"),
  route("verify/:token", "routes/verify.tsx"),
  route("success", "routes/success.tsx"),
  route("reset-password", "routes/reset-password.tsx"),
  route("reset-password/:token", "routes/reset-password.token.tsx"),

  route("api/user", "routes/api/user.ts"),
  route("api/user/password", "routes/api/user.password.ts"),
  route("api/user/sessions", "routes/api/user.sessions.ts"),
  route("api/user/sessions/:reference", "routes/api/user.session.ts"),
  route("api/auth/register", "routes/api/auth.register.ts"),
  route("api/auth/login", "routes/api/auth.login.ts"),
  route("api/auth/logout", "routes/api/auth.logout.ts"),
  route("api/auth/reset-password", "routes/api/auth.reset-password.ts"),
  route("api/auth/reset-password/:token", "routes/api/auth.reset-password.token.ts"),
  route("api/entries", "routes/api/entries.ts"),
  route("api/entries/:id", "routes/api/entry.ts"),
  route("api/entries/:id/restore", "routes/api/entry.restore.ts"),
  route("api/entries/:id/verification", "routes/api/entries.verification.ts"),
  route("api/rope-hours", "routes/api/rope-hours.ts"),
  route("api/rope-hours/:id", "routes/api/rope-hour.ts"),
  route("api/rope-hours/:id/restore", "routes/api/rope-hour.restore.ts"),
  route("api/rope-hours/:id/verification", "routes/api/rope-hours.verification.ts"),
  route("api/supervisors", "routes/api/supervisors.ts"),
  route("api/supervisors/:id", "routes/api/supervisor.ts"),
  route("api/verify-request/:id", "routes/api/verify-request.ts"),
  route("api/verify-request-rope/:id", "routes/api/verify-request-rope.ts"),
  route("api/verify/:token", "routes/api/verify.ts"),
  route("api/admin/users", "routes/api/admin.users.ts"),
  route("api/admin/users/:id", "routes/api/admin.user.ts"),
  route("api/admin/entries", "routes/api/admin.entries.ts"),
  route("api/admin/entries/:id", "routes/api/admin.entry.ts"),
  route("api/admin/entries/:id/verification", "routes/api/admin.entries.verification.ts"),
  route("api/admin/rope-hours", "routes/api/admin.rope-hours.ts"),
  route("api/admin/rope-hours/:id", "routes/api/admin.rope-hour.ts"),
  route("api/admin/rope-hours/:id/verification", "routes/api/admin.rope-hours.verification.ts"),

  // Every other address, under /api too (app/server/request-checks.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
