// `npm start` for the browser tests, behind a proxy, so that each test can have a network of its own. Behind a proxy it
// shows no emails, so they go to a mail service that accepts everything and writes it to a file. Tests find its database
// through another file.
import { appendFileSync, writeFileSync } from "node:fs";
import { socketPath } from "#scripts/lib/holder.ts";
import start from "#scripts/start.ts";
import { startFakeMailChannels } from "#tests/worker/fake-mailchannels.ts";
import { SOCKET_FILE } from "./database.ts";
import { MAIL_FILE } from "./mailbox.ts";

writeFileSync(MAIL_FILE, "");
const { url } = await startFakeMailChannels((mail) => appendFileSync(MAIL_FILE, `${JSON.stringify(mail)}\n`));
process.env.MAILCHANNELS_BASE_URL = url;
writeFileSync(SOCKET_FILE, socketPath());
await start();
