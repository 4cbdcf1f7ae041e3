import { expect, test } from "vitest";
import { AppError } from "#app/errors.ts";
import { bodyTime, MAX_BODY_BYTES, MAX_DROPPED_BYTES, REFUSED_BODY, readBody } from "./body.server.ts";

/*
 * The time limits on request bodies. Catches a reader that waits for ever, and one whose idle limit starts again with
 * each byte while nothing limits the whole. Time itself is tested here, so the bodies are sent with real delays; a busy
 * machine only makes a body later, and the tests that expect a body in time allow a minute.
 */

const QUICK = { idle: 50, total: 300 };

/** Returns a request whose body comes in this many pieces, each `ms` milliseconds after the previous one. */
function request(pieces: number, ms: number, end = true): Request {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent === pieces && !end) return new Promise(() => {});
      if (sent === pieces) return controller.close();
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, ms));
      controller.enqueue(new Uint8Array([sent]));
    },
  });
  const init = { method: "POST", body, duplex: "half" };
  return new Request("http://localhost/", init);
}

const refusalOf = (sent: Request, time = QUICK) =>
  readBody(sent, time).then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.status : error),
  );

test("a body that stops before its end is refused with 408", async () => {
  expect(await refusalOf(request(1, 0, false))).toBe(408);
});

test("a body that takes too long in total is refused with 408, however regularly its bytes arrive", async () => {
  expect(await refusalOf(request(1_000, 5), { idle: 60_000, total: 200 })).toBe(408);
});

test("a body in many pieces that arrives in time is read whole and in order", async () => {
  const bytes = await readBody(request(20, 1), { idle: 60_000, total: 60_000 });
  expect([...bytes]).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("a body may pause for 10 s and take 60 s in total, and a setting shortens both", () => {
  expect(bodyTime()).toEqual({ idle: 10_000, total: 60_000 });
  expect(bodyTime("100")).toEqual({ idle: 100, total: 600 });
});

test("a body that the front server refused is refused: 408 if late, 413 if too large", async () => {
  const post = (headers: Record<string, string>) => new Request("http://localhost/", { method: "POST", headers });
  expect(await refusalOf(post({ [REFUSED_BODY]: "late" }))).toBe(408);
  expect(await refusalOf(post({ [REFUSED_BODY]: "large" }))).toBe(413);
  expect(await refusalOf(post({ "Content-Length": String(MAX_DROPPED_BYTES + 1) }))).toBe(413);
});

// Detects a refusal in the middle of an upload: the client loses the message with the connection.
test("a body that is too large is read to its end before it is refused, up to a limit", async () => {
  const tooLarge = async (bytes: number) => {
    let left = bytes;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left <= 0) return controller.close();
        controller.enqueue(new Uint8Array(Math.min(left, 64 * 1024)));
        left -= 64 * 1024;
      },
    });
    const init = { method: "POST", body, duplex: "half" };
    return [await refusalOf(new Request("http://localhost/", init), bodyTime()), left <= 0];
  };
  expect(await tooLarge(MAX_BODY_BYTES)).toEqual([null, true]);
  expect(await tooLarge(MAX_BODY_BYTES + 1)).toEqual([413, true]);
  expect(await tooLarge(3 * MAX_BODY_BYTES)).toEqual([413, true]);
  expect(await tooLarge(2 * MAX_DROPPED_BYTES)).toEqual([413, false]);
});

// Catches a hang-up that counts as an internal error: anyone could fill the log with them.
test("a body whose connection breaks off is a refusal, and no unexpected error", async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("connection lost")) });
  const init = { method: "POST", body, duplex: "half" };
  expect(await refusalOf(new Request("http://localhost/", init))).toBe(400);
});
