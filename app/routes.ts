import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";

/** Where the pages about one record of a kind are: its technician's, and the admin's. */
interface RecordPaths {
  pages: string;
  adminPage: string;
  /** Whether forms of verified records are printed below its log (app/pdf/forms.ts). */
  isPrinted: boolean;
  /** Whether a new record has a page of its own, and no form on the log. */
  hasNewPage?: true;
}

/**
 * The routes about one record of a kind (app/records/all-kinds.ts). All kinds share the modules; the kind is the first part
 * of a route's id, where `context.kind` comes from (app/server/request-checks.server.ts).
 */
function recordRoutes(kind: string, { pages, adminPage, isPrinted, hasNewPage }: RecordPaths) {
  const paths: [path: string, module: string][] = [
    [`${pages}/request/:id/:key?`, "request.tsx"],
    [`${pages}/record/:id`, "record.tsx"],
    [`${pages}/record/:id/edit`, "record.edit.tsx"],
    [`${pages}/record/:id/delete`, "record.delete.tsx"],
    [`${adminPage}/:id`, "admin.record.tsx"],
  ];
  if (isPrinted) paths.push([`${pages}/exports`, "log.exports.tsx"], [`${pages}/print/:id?`, "print.tsx"]);
  if (hasNewPage) paths.push([`${pages}/new/:key?`, "record.new.tsx"]);
  return [
    ...paths.map(
      ([path, module]): RouteConfigEntry =>
        route(path, `routes/${module}`, { id: `${kind}/${module.replace(".tsx", "")}` }),
    ),
    button(`${pages}/record/:id/withdraw`, `${kind}/record.withdraw`),
    button(`${pages}/record/:id/restore`, `${kind}/record.restore`),
    button(`${adminPage}/:id/restore`, `${kind}/admin.restore`),
  ];
}

/** The address of a button without a page of its own. The last part of the id is its name in the table of routes/buttons.tsx. */
function button(path: string, id: string): RouteConfigEntry {
  return route(path, "routes/buttons.tsx", { id });
}

/**
 * The JSON calls of a subject, all of which a module of routes/api serves. A route's id is its address, by which the module
 * finds the endpoint (app/api/endpoint.server.ts).
 */
function calls(module: string, paths: string[]) {
  return paths.map((path): RouteConfigEntry => route(`api/${path}`, `routes/api/${module}.ts`, { id: `api/${path}` }));
}

/** All URLs of the app. A route is private unless its `handle` says otherwise (app/server/route.ts). */
export default [
  ...recordRoutes("entry", {
    pages: "profile",
    adminPage: "admin/entry",
    isPrinted: true,
  }),
  ...recordRoutes("rope_hour", {
    pages: "rope-hours",
    adminPage: "admin/rope-hours",
    isPrinted: true,
  }),
  ...recordRoutes("training", {
    pages: "training",
    adminPage: "admin/training",
    isPrinted: true,
    hasNewPage: true,
  }),
  ...recordRoutes("certificate", {
    pages: "certificates",
    adminPage: "admin/certificates",
    isPrinted: false,
    hasNewPage: true,
  }),
  index("routes/auth.tsx", { id: "home" }),
  route("auth", "routes/auth.tsx"),
  button("logout", "routes/logout"),
  route("profile", "routes/profile.tsx"),
  route("profile/entries/:key?", "routes/profile.entries.tsx"),
  route("shift", "routes/shift.tsx"),
  route("rope-hours", "routes/rope-hours.tsx"),
  route("rope-hours/new/:key?", "routes/rope-hours.new.tsx"),
  route("training", "routes/training.tsx"),
  route("certificates", "routes/certificates.tsx"),
  route("account", "routes/account.tsx"),
  route("account/details", "routes/account.details.tsx"),
  route("account/name", "routes/account.name.tsx"),
  route("account/password", "routes/account.password.tsx"),
  route("account/email", "routes/account.email.tsx"),
  button("account/email/resend", "routes/account.email.resend"),
  route("account/email/:token", "routes/account.email.token.tsx"),
  button("account/sessions", "routes/account.sessions"),
  button("account/end-token", "routes/account.end-token"),
  route("account/tokens/:key?", "routes/account.tokens.tsx"),
  route("account/exports/:id", "routes/account.export.tsx"),
  route("account/delete", "routes/account.delete.tsx"),
  route("admin", "routes/admin.tsx"),
  route("admin/user/:id/:act?", "routes/admin.person.tsx"),
  route("admin/progress", "routes/admin.progress.tsx"),
  route("admin/system", "routes/admin.system.tsx"),
  button("admin/system/log-check", "routes/admin.log-check"),
  route("admin/tokens/:key?", "routes/admin.tokens.tsx"),
  button("admin/end-token", "routes/admin.end-token"),
  route("admin/system/erase-supervisor", "routes/admin.erase-supervisor.tsx"),
  route("admin/system/allow-emails", "routes/admin.allow-emails.tsx"),
  route("supervisors", "routes/supervisors.tsx"),
  route("supervisors/new/:key?", "routes/supervisors.new.tsx"),
  route("supervisors/:id", "routes/supervisor.tsx"),
  route("supervisors/:id/delete", "routes/supervisor.delete.tsx"),
  route("requests", "routes/requests.tsx"),
  route("requests/new/:key?", "routes/requests.new.tsx"),
  route("requests/:id", "routes/requests.request.tsx"),
  button("requests/:id/remind", "routes/requests.remind"),
  button("requests/:id/reminders", "routes/requests.reminders"),
  button("requests/:id/withdraw", "routes/requests.withdraw"),
  route("offline/entries", "routes/offline.tsx", { id: "routes/offline.entries" }),
  route("offline/rope-hours", "routes/offline.tsx", { id: "routes/offline.rope-hours" }),
  route("progress", "routes/progress.tsx"),
  route("progress/print", "routes/progress.print.tsx"),
  route("progress/targets/new/:key?", "routes/progress.targets.new.tsx"),
  route("progress/targets/:id", "routes/progress.target.tsx"),
  route("progress/targets/:id/delete", "routes/progress.target.delete.tsx"),
  route("import", "routes/import.tsx"),
  route("import/brought-forward/:key?", "routes/import.brought-forward.tsx"),
  route("import/:id", "routes/import.preview.tsx"),
  button("import/:id/apply", "routes/import.apply-form"),
  button("import/:id/undo", "routes/import.undo"),
  route("verify/:token", "routes/verify.tsx"),
  route("success", "routes/success.tsx"),
  route("inbox", "routes/inbox.tsx"),
  route("inbox/:token", "routes/inbox.token.tsx"),
  route("disown/:token", "routes/notice.tsx", { id: "disown" }),
  route("confirm/:token", "routes/notice.tsx", { id: "confirm" }),
  route("unsubscribe/:token", "routes/unsubscribe.tsx"),
  route("c/:code", "routes/c.tsx"),
  route("check", "routes/check.tsx"),
  route("reset-password", "routes/reset-password.tsx"),
  route("reset-password/:token", "routes/reset-password.token.tsx"),
  route(".well-known/jwks.json", "routes/jwks.ts", { id: ".well-known/jwks.json" }),
  route("checkpoint", "routes/checkpoint.ts"),

  ...calls("auth", ["auth/register", "auth/login", "auth/logout", "auth/reset-password", "auth/reset-password/:token"]),
  ...calls("account", [
    "user",
    "user/password",
    "user/email",
    "user/email/resend",
    "user/email/:token",
    "user/sessions",
    "user/sessions/:reference",
    "tokens",
    "tokens/:id",
  ]),
  ...calls("records", [
    "entries",
    "entries/:id",
    "entries/:id/restore",
    "entries/:id/verification",
    "verify-request/:id",
    "rope-hours",
    "rope-hours/:id",
    "rope-hours/:id/restore",
    "rope-hours/:id/verification",
    "verify-request-rope/:id",
    "training",
    "training/:id",
    "training/:id/restore",
    "training/:id/verification",
    "certificates",
    "certificates/:id",
    "certificates/:id/restore",
    "certificates/:id/verification",
  ]),
  ...calls("supervisors", ["supervisors", "supervisors/:id"]),
  ...calls("requests", ["verification-requests", "verification-requests/:id", "verification-requests/:id/remind"]),
  ...calls("verify", [
    "verify/:token",
    "verify/:token/decline",
    "verify/:token/unknown",
    "disown/:token",
    "confirm/:token",
    "supervisor-inbox",
  ]),
  ...calls("events", ["events", "admin/events"]),
  ...calls("targets", ["targets", "targets/:id", "target-presets", "progress"]),
  ...calls("exports", ["exports", "exports/:id", "check/:code", "export.csv", "export.xlsx", "export.json"]),
  ...calls("imports", ["imports", "imports/:id", "imports/:id/apply"]),
  ...calls("admin", [
    "admin/users",
    "admin/users/:id",
    "admin/users/:id/make-admin",
    "admin/users/:id/remove-admin",
    "admin/users/:id/lock",
    "admin/users/:id/unlock",
    "admin/users/:id/has-left",
    "admin/users/:id/end-sessions",
    "admin/users/:id/reset-link",
    "admin/users/:id/export.json",
    "admin/entries",
    "admin/entries/:id",
    "admin/entries/:id/restore",
    "admin/entries/:id/verification",
    "admin/rope-hours",
    "admin/rope-hours/:id",
    "admin/rope-hours/:id/restore",
    "admin/rope-hours/:id/verification",
    "admin/training",
    "admin/training/:id",
    "admin/training/:id/restore",
    "admin/training/:id/verification",
    "admin/certificates",
    "admin/certificates/:id",
    "admin/certificates/:id/restore",
    "admin/certificates/:id/verification",
    "admin/export.csv",
    "admin/export.xlsx",
    "admin/progress.csv",
    "admin/tokens",
    "admin/tokens/:id",
    "admin/system",
    "admin/messages/:id/send-again",
    "admin/log-check",
    "admin/erase-supervisor",
    "admin/allow-emails",
  ]),
  ...calls("openapi", ["openapi.json"]),

  // Every other URL, also under /api (app/server/request-checks.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
