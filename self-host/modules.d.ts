/** The modules that `npm run binary` adds. */

declare module "binary:app" {
  import type { MailEnv } from "#app/mail/settings.server.ts";
  import type { Env } from "#app/server/env.ts";

  const app: Required<Pick<ExportedHandler<Env & MailEnv>, "fetch" | "scheduled">>;
  export default app;
}

declare module "binary:files" {
  const files: Record<string, import("./static-files.ts").StaticFile>;
  export default files;
}

declare module "binary:runtime" {
  const version: string;
  export default version;
}

declare module "binary:migrations" {
  const migrations: import("./migrations.ts").Migration[];
  export default migrations;
}
