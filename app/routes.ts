import { index, type RouteConfig, route } from "@remix-run/route-config";

/** Every address of the app. A route is private unless its `handle` says otherwise (app/http/route.ts). */
export default [
  index("routes/auth.tsx", { id: "home" }),
  route("auth", "routes/auth.tsx"),
  route("logout", "routes/logout.ts"),
  route("profile", "routes/profile.tsx"),
  route("profile/entries/:key?", "routes/profile.entries.tsx"),
  route("profile/request/:id/:key?", "routes/request.tsx"),
  route("profile/print", "routes/profile.print.tsx"),
  route("rope-hours", "routes/rope-hours.tsx"),
  route("rope-hours/new/:key?", "routes/rope-hours.new.tsx"),
  route("rope-hours/request/:id/:key?", "routes/request.tsx", { id: "rope-hours.request" }),
  route("admin", "routes/admin.tsx"),
  route("verify/:token", "routes/verify.tsx"),
  route("success", "routes/success.tsx"),
  route("reset-password", "routes/reset-password.tsx"),
  route("reset-password/:token", "routes/reset-password.token.tsx"),

  route("api/user", "routes/api.user.ts"),
  route("api/auth/register", "routes/api.auth.register.ts"),
  route("api/auth/login", "routes/api.auth.login.ts"),
  route("api/auth/logout", "routes/api.auth.logout.ts"),
  route("api/auth/reset-password", "routes/api.auth.reset-password.ts"),
  route("api/auth/reset-password/:token", "routes/api.auth.reset-password.token.ts"),
  route("api/entries", "routes/api.entries.ts"),
  route("api/entries/:id", "routes/api.entry.ts"),
  route("api/entries/:id/restore", "routes/api.entry.restore.ts"),
  route("api/rope-hours", "routes/api.rope-hours.ts"),
  route("api/rope-hours/:id", "routes/api.rope-hour.ts"),
  route("api/rope-hours/:id/restore", "routes/api.rope-hour.restore.ts"),
  route("api/supervisors", "routes/api.supervisors.ts"),
  route("api/verify-request/:id", "routes/api.verify-request.ts"),
  route("api/verify-request-rope/:id", "routes/api.verify-request-rope.ts"),
  route("api/verify/:token", "routes/api.verify.ts"),
  route("api/admin/users", "routes/api.admin.users.ts"),
  route("api/admin/users/:id", "routes/api.admin.user.ts"),
  route("api/admin/entries", "routes/api.admin.entries.ts"),
  route("api/admin/entries/:id", "routes/api.admin.entry.ts"),

  // Every other address, under /api too (app/http/guard.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
