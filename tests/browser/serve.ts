// `npm start` for the browser's tests, behind a proxy as it would be: each test then has a network of its own. There it
// shows no mail, so the messages go to a mail service that takes everything and writes it down for the tests.
import { appendFileSync, writeFileSync } from "node:fs";
import start from "#scripts/start.ts";
import { startFakeMailChannels } from "#tests/worker/fake-mailchannels.ts";
import { MAIL_FILE } from "./mailbox.ts";

writeFileSync(MAIL_FILE, "");
const { url } = await startFakeMailChannels((mail) => appendFileSync(MAIL_FILE, `${JSON.stringify(mail)}\n`));
process.env.MAILCHANNELS_BASE_URL = url;
await start();
