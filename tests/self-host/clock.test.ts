import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { readsAs } from "./disk.ts";
import { dataFolder, register, SETTINGS, start, visit } from "./start.ts";

/*
 * The executable when the system's clock is wrong and is set right. A small library, loaded before the C library, moves the clock by
 * as many seconds as a file says.
 */

const folder = mkdtempSync(join(tmpdir(), "hours-tracker-clock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LIBRARY = join(folder, "clock.so");
const CLOCK = join(folder, "clock");

writeFileSync(
  join(folder, "clock.c"),
  `#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, id, now);
  if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) return result;
  char text[32];
  int file = open("${CLOCK}", O_RDONLY);
  int length = read(file, text, 31);
  close(file);
  text[length > 0 ? length : 0] = 0;
  now->tv_sec += atol(text);
  return result;
}
`,
);
const hasLibrary =
  process.platform === "linux" &&
  spawnSync("cc", ["-shared", "-fPIC", "-o", LIBRARY, join(folder, "clock.c")]).status === 0;

const DAY = 24 * 60 * 60;
const setClock = (seconds: number) => writeFileSync(CLOCK, String(seconds));

/** A mail service that answers with this status. */
async function mailService() {
  const service = { url: "", asked: 0, status: 503 };
  const server = createServer((_incoming, outgoing) => {
    service.asked += 1;
    outgoing.writeHead(service.status, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify({ results: [{ index: 0, status: "sent", message_id: "1" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

// Catches an alarm that is kept as a moment alone: emails would not be retried, and nothing forgotten, until the clock says so again.
test.runIf(hasLibrary)(
  "the timer goes on when a clock that was a day ahead is set right, and after a restart",
  async () => {
    setClock(DAY);
    const programs = await Promise.all(
      [1, 2].map(async () => {
        const mail = await mailService();
        const env = {
          ...SETTINGS,
          LD_PRELOAD: LIBRARY,
          PUBLIC_ORIGIN: "http://localhost:8787",
          MAIL_FROM: "hours@example.com",
          MAILCHANNELS_API_KEY: "a key",
          MAILCHANNELS_BASE_URL: mail.url,
        };
        const data = dataFolder();
        const running = await start(data, env);
        await register(running, "ada@example.com");
        return { mail, env, data, running };
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000)); // the first alarm sets the next one
    setClock(0);
    const isRetried = programs.map(async ({ mail, env, data, running }, index) => {
      let { url } = running;
      if (index === 1) {
        await running.stop();
        ({ url } = await start(data, env));
      }
      await visit(`${url}/api/auth/reset-password`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: "ada@example.com" }),
      });
      const isFirst = await readsAs(async () => mail.asked > 0, true);
      mail.status = 200;
      return isFirst && readsAs(async () => mail.asked > 1, true);
    });
    expect(await Promise.all(isRetried)).toEqual([true, true]);
  },
);
