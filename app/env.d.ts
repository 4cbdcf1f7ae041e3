/// <reference types="vite/client" />

/** The module that Remix's Vite plugin makes of `app/routes.ts` and the modules it names. */
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

/** It comes without types; what is used of it. Names and values are as they are written: `decode` replaces their entities. */
declare module "saxen" {
  type Decode = (text: string) => string;
  interface Events {
    openTag: (name: string, attributes: () => { [name: string]: string }, decode: Decode) => void;
    closeTag: (name: string) => void;
    text: (text: string, decode: Decode) => void;
    cdata: (text: string) => void;
    error: (error: Error) => void;
  }
  export class Parser {
    on<Name extends keyof Events>(name: Name, call: Events[Name]): this;
    write(xml: string): this;
    end(): Error | null;
  }
}
