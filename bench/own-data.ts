// Imported before everything else: measurements use a data folder of their own, whatever the environment says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "hours-tracker-measure-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, { DATA_DIR: folder, SESSION_SECRET: "a secret for measuring, of 32 bytes and more" });
for (const name of ["PUBLIC_ORIGIN", "TRUST_PROXY", "MAILCHANNELS_API_KEY", "MAIL_FROM"]) delete process.env[name];
