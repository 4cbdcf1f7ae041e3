/// <reference types="vite/client" />

/** What Remix's Vite plugin makes of `app/routes.ts` and the modules it names. */
declare module "virtual:remix/server-build" {
  const build: import("@remix-run/cloudflare").ServerBuild;
  export = build;
}

/** The address of the script of the offline pages (vite/service-worker.ts). */
declare module "virtual:offline-script" {
  const address: string;
  export default address;
}

/** The text of a script that a page has inside itself (vite/inline-scripts.ts). */
declare module "*.inline.ts?script" {
  const code: string;
  export default code;
}

/** It comes without types; what is used of it. */
declare module "punycode.js" {
  const punycode: Record<"toASCII" | "toUnicode", (domain: string) => string>;
  export default punycode;
}
