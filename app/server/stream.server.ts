import process from "node:process";
import type { AppLoadContext } from "@remix-run/cloudflare";
import { AppError } from "#app/errors.ts";
import { answerIdle } from "./body.server.ts";
import { othersTurn } from "./others-turn.ts";
import { TurnQueue } from "./turn-queue.ts";

/** The content type of a workbook. */
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json", xlsx: XLSX_TYPE };

/** How many streams are open at once: each holds a part of up to 2 MB. */
const STREAMS = { inAll: 20, ofAccount: 2 };

/** How much of a part is sent at once. Only a piece that was taken shows that a client reads: a slow one takes minutes for a part. */
const PIECE_BYTES = 64_000;

const TWO_ARE_OPEN =
  "Two files of this account are being sent already. Wait until one of them has arrived or stop it, and try again.";

const NOT_READ_FOR_LONGEST = "others wait, and this client has not read for longest";

/** How often a stream looks whether it is still open, in milliseconds. One that gives no sign for twenty times as long has gone. */
const LOOK_MS = 500;
const GONE_MS = 20 * LOOK_MS;

/** The turns of the parts. The streams that are open may wait for as long as it takes: what was begun is not refused. */
const parts = new TurnQueue({
  atOnce: 1,
  atOnceForOne: 1,
  places: Number.POSITIVE_INFINITY,
  placesForOne: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  abandonedMs: 20_000,
  refusal: "Too much is being sent at the moment. Please try again in a minute.",
});

interface Entry {
  account: string;
  /** Since when it waits for its client to read; null while it makes a part. By `performance.now()`. */
  waitsSince: number | null;
  /** When it last gave a sign. */
  seen: number;
}

/** All open streams. One that was taken out ends itself: a request cannot end that of another. */
const open = new Set<Entry>();

export type Part = string | Uint8Array;

/** A response that is made while it is sent. */
export interface OpenStream {
  /** The body: these parts, or what `around` makes of them. */
  body(around?: (parts: AsyncGenerator<Part>) => AsyncGenerator<Part>): ReadableStream<Uint8Array>;
  /** Ends it, if its body is not sent. */
  end(): void;
}

type StreamContext = Pick<AppLoadContext, "env" | "signal" | "visit" | "stream">;

/**
 * Opens the stream that a response is made of. A part is made when the client has taken the one before, in a turn of its own,
 * so that a client that does not read holds one part and no turn. If it takes no piece of it for `answerIdle`, the stream ends as
 * failed. So does the one that has waited longest for its client, when there are too many.
 * @throws {AppError} 429 if the account has two open streams, or all others are being read
 */
export function openStream(context: StreamContext, chunks: AsyncGenerator<Part>): OpenStream {
  const { env, signal, visit } = context;
  const entry: Entry = { account: String(visit.userId), waitsSince: performance.now(), seen: performance.now() };
  makeRoom(entry.account);
  open.add(entry);
  let fail = (_error: Error) => {};
  const end = () => {
    open.delete(entry);
    clearInterval(timer);
    signal.removeEventListener("abort", end);
    chunks.return(undefined).catch(() => {}); // its result is not needed
  };
  const timer = setInterval(() => {
    entry.seen = performance.now();
    const hasStopped = entry.waitsSince !== null && entry.seen - entry.waitsSince > answerIdle(env.BODY_IDLE_MS);
    if (open.has(entry) && !hasStopped) return;
    end();
    fail(new Error(hasStopped ? "the client has stopped reading" : NOT_READ_FOR_LONGEST));
    disconnect();
  }, LOOK_MS);
  signal.addEventListener("abort", end);
  const encoder = new TextEncoder();
  const next = async (from: AsyncGenerator<Part>) => {
    entry.waitsSince = null;
    const turn = await parts.enter(entry.account, signal);
    try {
      const part = await from.next();
      await othersTurn();
      return part;
    } finally {
      turn.end();
    }
  };
  const stream: OpenStream = {
    end,
    body(around = (all) => all) {
      const all = around(chunks);
      let part: Uint8Array = new Uint8Array(); // what is left of it
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            fail = (error) => controller.error(error);
          },
          async pull(controller) {
            try {
              if (!open.has(entry)) throw new Error(NOT_READ_FOR_LONGEST);
              if (part.length === 0) {
                const { done, value } = await next(all);
                if (done) {
                  end();
                  return controller.close();
                }
                part = typeof value === "string" ? encoder.encode(value) : value;
              }
              entry.waitsSince = performance.now();
              controller.enqueue(part.subarray(0, PIECE_BYTES));
              part = part.subarray(PIECE_BYTES);
            } catch (error) {
              end();
              throw error;
            }
          },
          cancel: end,
        },
        { highWaterMark: 0 }, // no part before it is read
      );
    },
  };
  context.stream = stream;
  return stream;
}

function makeRoom(account: string): void {
  const now = performance.now();
  for (const entry of open) if (now - entry.seen > GONE_MS) open.delete(entry);
  const all = [...open];
  if (all.filter((entry) => entry.account === account).length >= STREAMS.ofAccount)
    throw new AppError("busy", TWO_ARE_OPEN);
  if (all.length < STREAMS.inAll) return;
  const waiting = all.flatMap((entry) => (entry.waitsSince === null ? [] : [{ entry, since: entry.waitsSince }]));
  const [longest] = waiting.sort((one, other) => one.since - other.since);
  if (!longest)
    throw new AppError("busy", "Too many files are being sent at the moment. Please try again in a minute.");
  open.delete(longest.entry);
}

/**
 * Ends this request and its connection. An error of the stream alone would leave the connection open until the client reads: the
 * runtime is in the middle of writing. In workerd `exit` ends the request that calls it, and nothing else.
 */
function disconnect(): void {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") process.exit(1);
}

/** The response that a browser saves as `{name}.{type}`; `name` is made of letters, digits and `-`. `openStream` says how it is read. */
export function download(
  context: StreamContext,
  name: string,
  type: keyof typeof TYPES,
  chunks: AsyncGenerator<Part>,
): Response {
  return new Response(openStream(context, chunks).body(), {
    headers: {
      "Content-Type": TYPES[type],
      "Content-Disposition": `attachment; filename="${name}.${type}"`,
      "Cache-Control": "no-store",
    },
  });
}
