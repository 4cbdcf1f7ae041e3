import { index, type RouteConfig, route } from "@remix-run/route-config";

/** Every address of the app. A route is private unless its `handle` says otherwise (app/http/route.ts). */
export default [
  index("routes/auth.tsx", { id: "home" }),
  route("auth", "routes/auth.tsx"),
  route("logout", "routes/logout.ts"),
  route("profile", "routes/profile.tsx"),
  route("profile/entries/:key?", "routes/profile.entries.tsx"),
  route("profile/request/:id/:key?", "routes/profile.request.tsx"),
  route("profile/print", "routes/profile.print.tsx"),
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
  route("api/supervisors", "routes/api.supervisors.ts"),
  route("api/verify-request/:id", "routes/api.verify-request.ts"),
  route("api/verify/:token", "routes/api.verify.ts"),

  // Every other address, under /api too (app/http/guard.server.ts).
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
