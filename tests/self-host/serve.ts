// The executable for the browser tests, behind a proxy and with a mail service that accepts everything, until it is
// stopped. Without the proxy a request may meet the runtime's closing of an idle connection, which Node's client,
// unlike a browser, reports as an error (docs/single-binary.md).
import { BINARY } from "#scripts/binary.ts";
import { forwardTo, listen } from "#scripts/lib/node-server.ts";
import { startBinary } from "#self-host/build/running.ts";
import { startFakeMailChannels } from "#tests/worker/fake-mailchannels.ts";

const { BROWSER_TEST_PORT: port = "8791", BROWSER_TEST_DATA: data = "" } = process.env;
const mailChannels = await startFakeMailChannels();
const running = await startBinary({
  program: BINARY,
  data,
  env: {
    SESSION_SECRET: "a secret for tests, of 32 bytes and more",
    MAILCHANNELS_API_KEY: "a key for tests",
    MAILCHANNELS_BASE_URL: mailChannels.url,
    MAIL_FROM: "Hours Tracker <hours@example.com>",
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    TRUST_PROXY: "1",
  },
});
await listen(forwardTo(new URL(running.url)), Number(port));
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => running.stop().then((code) => process.exit(code ?? 1)));
}
