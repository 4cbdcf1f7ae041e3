/// <reference types="vite/client" />

/** What Remix's Vite plugin makes of `app/routes.ts` and the modules it names. */
declare module "virtual:remix/server-build" {
  const build: import("@remix-run/cloudflare").ServerBuild;
  export = build;
}
