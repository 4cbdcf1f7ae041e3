import { connect } from "node:net";
import { expect, test } from "vitest";
import { mailFor } from "#scripts/lib/mailbox.ts";

// Catches a read that is not awaited: its error would end npm start.
test("a caught email that breaks off ends nothing, and the next one is caught", async () => {
  const { settings } = await mailFor({});
  const { hostname, port } = new URL(settings.MAILCHANNELS_BASE_URL ?? "");
  await new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write("POST /tx/v1/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
      setTimeout(() => socket.resetAndDestroy(), 100);
    });
    socket.on("error", () => {}).on("close", resolve);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answer = await fetch(`${settings.MAILCHANNELS_BASE_URL}/tx/v1/send`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(400); // it is no email
});
