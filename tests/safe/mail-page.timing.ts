import { expect, test } from "vitest";
import { startMailApp } from "#tests/worker/mail.ts";
import { reportFigure } from "./figures.ts";

/*
 * How much longer a verification request and the page after it take while the mail service hangs, compared with one
 * that answers: medians of requests that take turns, since only times of one run can be compared. `npm run safe`
 * measures it; `npm test` checks a service that never answers without times (tests/worker/mail-faults.test.ts).
 */

const n = Number(process.env.SAFE_TIMES) || 150;
const app = await startMailApp({ MAIL_TIMEOUT_MS: "30000" }, { realHashes: true });

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

test("a page takes as long with a mail service that hangs as with a healthy one", async () => {
  const times = { send: [] as number[], hang: [] as number[] };
  for (let round = 0; round < n; round += 1) {
    const ada = await app.register(); // each round with addresses of its own: one gets no more than 5 emails a day
    const supervisor = await ada.addSupervisor();
    for (const behaviour of ["send", "hang"] as const) {
      const { id } = await ada.addEntry();
      app.mailChannels.behave(behaviour);
      const received = app.mailChannels.received.length;
      const start = performance.now();
      const answer = await ada.post(`/profile/request/${id}`, { supervisor: String(supervisor.id) });
      const page = await ada.follow(answer);
      if (round > 4) times[behaviour].push(performance.now() - start);
      expect([answer.status, page.status]).toEqual([303, 200]);
      await app.mailChannels.untilReceived(received + 1);
    }
    app.mailChannels.reset();
  }
  const ratio = median(times.hang) / median(times.send);
  console.log(`page time, hung ÷ healthy: ${ratio.toFixed(2)} (n = ${times.hang.length})`);
  expect(ratio).toBeLessThan(1.1);
  reportFigure("Page time, mail hung ÷ healthy", `${ratio.toFixed(2)} (n = ${times.hang.length})`);
});
