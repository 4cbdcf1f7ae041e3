import { index, type RouteConfig, route } from "@remix-run/route-config";

/**
 * A route for one kind of record (app/records/kinds.ts). All kinds share the module. The kind is the first part of the
 * route's id, from which `context.kind` is read (app/server/request-checks.server.ts).
 */
function ofKind(kind: string, path: string, module: string) {
  return route(path, `routes/${module}`, { id: `${kind}/${module.replace(/\.tsx?$/, "")}` });
}

/** All URLs of the app. A route is private unless its `handle` says otherwise (app/server/route.ts). */
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
  ofKind("entry", "api/entries/:id", "api/record.ts"),
  ofKind("entry", "api/entries/:id/restore", "api/record.restore.ts"),
  ofKind("entry", "api/entries/:id/verification", "api/record.verification.ts"),
  route("api/rope-hours", "routes/api/rope-hours.ts"),
  ofKind("rope_hour", "api/rope-hours/:id", "api/record.ts"),
  ofKind("rope_hour", "api/rope-hours/:id/restore", "api/record.restore.ts"),
  ofKind("rope_hour", "api/rope-hours/:id/verification", "api/record.verification.ts"),
  route("api/supervisors", "routes/api/supervisors.ts"),
  route("api/supervisors/:id", "routes/api/supervisor.ts"),
  ofKind("entry", "api/verify-request/:id", "api/verify-request.ts"),
  ofKind("rope_hour", "api/verify-request-rope/:id", "api/verify-request.ts"),
  route("api/verify/:token", "routes/api/verify.ts"),
  route("api/admin/users", "routes/api/admin.users.ts"),
  route("api/admin/users/:id", "routes/api/admin.user.ts"),
  ofKind("entry", "api/admin/entries", "api/admin.records.ts"),
  ofKind("entry", "api/admin/entries/:id", "api/admin.record.ts"),
  ofKind("entry", "api/admin/entries/:id/verification", "api/admin.record.verification.ts"),
  ofKind("rope_hour", "api/admin/rope-hours", "api/admin.records.ts"),
  ofKind("rope_hour", "api/admin/rope-hours/:id", "api/admin.record.ts"),
  ofKind("rope_hour", "api/admin/rope-hours/:id/verification", "api/admin.record.verification.ts"),

  // Every other URL, also under /api (app/server/request-checks.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
