// The single file for the browser's tests, with a mail service that takes everything. Runs until it is told to stop.
import { BINARY } from "../../scripts/binary.ts";
import { startBinary } from "../../scripts/lib/binary/running.ts";
import { startFakeMailChannels } from "../worker/fake-mailchannels.ts";

const { BROWSER_TEST_PORT: port = "8791", BROWSER_TEST_DATA: data = "" } = process.env;
const mailChannels = await startFakeMailChannels();
const running = await startBinary({
  program: BINARY,
  data,
  port: Number(port),
  env: {
    SESSION_SECRET: "a secret for tests",
    MAILCHANNELS_API_KEY: "a key for tests",
    MAILCHANNELS_BASE_URL: mailChannels.url,
    MAIL_FROM: "Hours Tracker <hours@example.com>",
    PUBLIC_ORIGIN: `http://localhost:${port}`,
  },
});
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => running.stop().then((code) => process.exit(code ?? 1)));
}
