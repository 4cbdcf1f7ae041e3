// Imported before everything else: what is measured is measured over data of its own, whatever the environment says.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "hours-tracker-measure-"));
for (const name of ["PUBLIC_ORIGIN", "TRUST_PROXY", "MAILCHANNELS_API_KEY", "MAIL_FROM"]) delete process.env[name];
process.env.SESSION_SECRET = "a secret for measuring";
