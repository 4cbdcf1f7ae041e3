import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";

/** Where the routes about one record of a kind are: its technician's pages, the admin's page, and the JSON calls. */
interface RecordPaths {
  pages: string;
  adminPage: string;
  calls: string;
  adminCalls: string;
  requestCall: string;
}

/**
 * The routes about one record of a kind (app/records/kinds.ts). All kinds share the modules; the kind is the first part
 * of a route's id, where `context.kind` comes from (app/server/request-checks.server.ts).
 */
function recordRoutes(kind: string, { pages, adminPage, calls, adminCalls, requestCall }: RecordPaths) {
  const paths: [path: string, module: string][] = [
    [`${pages}/request/:id/:key?`, "request.tsx"],
    [`${pages}/exports`, "log.exports.ts"],
    [`${pages}/print/:id?`, "print.tsx"],
    [`${pages}/record/:id`, "record.tsx"],
    [`${pages}/record/:id/withdraw`, "record.withdraw.ts"],
    [`${pages}/record/:id/edit`, "record.edit.tsx"],
    [`${pages}/record/:id/delete`, "record.delete.tsx"],
    [`${pages}/record/:id/restore`, "record.restore.tsx"],
    [`${adminPage}/:id`, "admin.record.tsx"],
    [`${calls}/:id`, "api/record.ts"],
    [`${calls}/:id/restore`, "api/record.restore.ts"],
    [`${calls}/:id/verification`, "api/record.verification.ts"],
    [`${requestCall}/:id`, "api/verify-request.ts"],
    [adminCalls, "api/admin.records.ts"],
    [`${adminCalls}/:id`, "api/admin.record.ts"],
    [`${adminCalls}/:id/verification`, "api/admin.record.verification.ts"],
  ];
  return paths.map(
    ([path, module]): RouteConfigEntry =>
      route(path, `routes/${module}`, { id: `${kind}/${module.replace(/\.tsx?$/, "")}` }),
  );
}

/** All URLs of the app. A route is private unless its `handle` says otherwise (app/server/route.ts). */
export default [
  ...recordRoutes("entry", {
    pages: "profile",
    adminPage: "admin/entry",
    calls: "api/entries",
    adminCalls: "api/admin/entries",
    requestCall: "api/verify-request",
  }),
  ...recordRoutes("rope_hour", {
    pages: "rope-hours",
    adminPage: "admin/rope-hours",
    calls: "api/rope-hours",
    adminCalls: "api/admin/rope-hours",
    requestCall: "api/verify-request-rope",
  }),
  index("routes/auth.tsx", { id: "home" }),
  route("auth", "routes/auth.tsx"),
  route("logout", "routes/logout.ts"),
  route("profile", "routes/profile.tsx"),
  route("profile/entries/:key?", "routes/profile.entries.tsx"),
  route("rope-hours", "routes/rope-hours.tsx"),
  route("rope-hours/new/:key?", "routes/rope-hours.new.tsx"),
  route("account", "routes/account.tsx"),
  route("account/details", "routes/account.details.tsx"),
  route("account/password", "routes/account.password.tsx"),
  route("account/email", "routes/account.email.tsx"),
  route("account/email/resend", "routes/account.email.resend.ts"),
  route("account/email/:token", "routes/account.email.token.tsx"),
  route("account/sessions", "routes/account.sessions.ts"),
  route("account/end-token", "routes/account.end-token.ts"),
  route("account/tokens/:key?", "routes/account.tokens.tsx"),
  route("account/exports/:id", "routes/account.export.tsx"),
  route("account/delete", "routes/account.delete.tsx"),
  route("admin", "routes/admin.tsx"),
  route("admin/progress", "routes/admin.progress.tsx"),
  route("supervisors", "routes/supervisors.tsx"),
  route("supervisors/:id", "routes/supervisor.tsx"),
  route("supervisors/:id/delete", "routes/supervisor.delete.tsx"),
  route("requests", "routes/requests.tsx"),
  route("requests/new/:key?", "routes/requests.new.tsx"),
  route("requests/:id", "routes/requests.request.tsx"),
  route("requests/:id/remind", "routes/requests.remind.ts"),
  route("requests/:id/reminders", "routes/requests.reminders.ts"),
  route("requests/:id/withdraw", "routes/requests.withdraw.ts"),
  route("offline/entries", "routes/offline.entries.tsx"),
  route("offline/rope-hours", "routes/offline.rope-hours.tsx"),
  route("progress", "routes/progress.tsx"),
  route("progress/print", "routes/progress.print.tsx"),
  route("progress/targets/new/:key?", "routes/progress.targets.new.tsx"),
  route("progress/targets/:id", "routes/progress.target.tsx"),
  route("progress/targets/:id/delete", "routes/progress.target.delete.tsx"),
  route("import", "routes/import.tsx"),
  route("import/brought-forward/:key?", "routes/import.brought-forward.tsx"),
  route("import/:id", "routes/import.preview.tsx"),
  route("import/:id/apply", "routes/import.apply-form.ts"),
  route("import/:id/undo", "routes/import.undo.ts"),
  route("verify/:token", "routes/verify.tsx"),
  route("success", "routes/success.tsx"),
  route("inbox", "routes/inbox.tsx"),
  route("inbox/:token", "routes/inbox.token.tsx"),
  route("disown/:token", "routes/disown.tsx"),
  route("confirm/:token", "routes/confirm.tsx"),
  route("unsubscribe/:token", "routes/unsubscribe.tsx"),
  route("c/:code", "routes/c.tsx"),
  route("check", "routes/check.tsx"),
  route("reset-password", "routes/reset-password.tsx"),
  route("reset-password/:token", "routes/reset-password.token.tsx"),
  route(".well-known/jwks.json", "routes/jwks.ts"),
  route("checkpoint", "routes/checkpoint.ts"),

  route("api/user", "routes/api/user.ts"),
  route("api/user/password", "routes/api/user.password.ts"),
  route("api/user/email", "routes/api/user.email.ts"),
  route("api/user/email/resend", "routes/api/user.email.resend.ts"),
  route("api/user/email/:token", "routes/api/user.email.token.ts"),
  route("api/user/sessions", "routes/api/user.sessions.ts"),
  route("api/user/sessions/:reference", "routes/api/user.session.ts"),
  route("api/tokens", "routes/api/tokens.ts"),
  route("api/tokens/:id", "routes/api/token.ts"),
  route("api/auth/register", "routes/api/auth.register.ts"),
  route("api/auth/login", "routes/api/auth.login.ts"),
  route("api/auth/logout", "routes/api/auth.logout.ts"),
  route("api/auth/reset-password", "routes/api/auth.reset-password.ts"),
  route("api/auth/reset-password/:token", "routes/api/auth.reset-password.token.ts"),
  route("api/entries", "routes/api/entries.ts"),
  route("api/rope-hours", "routes/api/rope-hours.ts"),
  route("api/imports", "routes/api/imports.ts"),
  route("api/imports/:id", "routes/api/import.ts"),
  route("api/imports/:id/apply", "routes/api/import.apply.ts"),
  route("api/export.csv", "routes/api/export-csv.ts"),
  route("api/export.json", "routes/api/export-json.ts"),
  route("api/supervisors", "routes/api/supervisors.ts"),
  route("api/supervisors/:id", "routes/api/supervisor.ts"),
  route("api/verification-requests", "routes/api/verification-requests.ts"),
  route("api/verification-requests/:id", "routes/api/verification-request.ts"),
  route("api/verification-requests/:id/remind", "routes/api/verification-request.remind.ts"),
  route("api/targets", "routes/api/targets.ts"),
  route("api/targets/:id", "routes/api/target.ts"),
  route("api/target-presets", "routes/api/target-presets.ts"),
  route("api/progress", "routes/api/progress.ts"),
  route("api/verify/:token", "routes/api/verify.ts"),
  route("api/verify/:token/decline", "routes/api/verify.decline.ts"),
  route("api/verify/:token/unknown", "routes/api/verify.unknown.ts"),
  route("api/disown/:token", "routes/api/disown.ts"),
  route("api/confirm/:token", "routes/api/confirm.ts"),
  route("api/exports", "routes/api/exports.ts"),
  route("api/exports/:id", "routes/api/export.ts"),
  route("api/check/:code", "routes/api/check.ts"),
  route("api/supervisor-inbox", "routes/api/supervisor-inbox.ts"),
  route("api/admin/progress.csv", "routes/api/admin.progress-csv.ts"),
  route("api/admin/users", "routes/api/admin.users.ts"),
  route("api/admin/users/:id", "routes/api/admin.user.ts"),
  route("api/openapi.json", "routes/api/openapi.ts"),
  route("api/admin/export.csv", "routes/api/admin.export-csv.ts"),

  // Every other URL, also under /api (app/server/request-checks.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
