import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Asked {
  method: "GET" | "POST";
  path: string;
  cookie?: string;
  body?: object;
}

/** What became of a request: its status, or null without an answer; the time since it was due, in milliseconds. */
export interface Fired {
  status: number | null;
  milliseconds: number;
}

/** How long a client waits for an answer, in milliseconds. */
const PATIENCE = 10_000;

const agent = new Agent({ keepAlive: true });

/**
 * Sends `rate` requests a second for some seconds, each when it is due, whether or not earlier ones were answered (an
 * open model): a server that is slow does not get fewer. Times count from when a request was due.
 */
export async function fireAt(rate: number, seconds: number, port: number, next: () => Asked): Promise<Fired[]> {
  const start = performance.now();
  const all: Promise<Fired>[] = [];
  while (all.length < rate * seconds) {
    const isDue = Math.min(rate * seconds, ((performance.now() - start) / 1000) * rate);
    while (all.length < isDue) {
      const due = start + (all.length / rate) * 1000;
      const fired = ({ status }: { status: number | null }) => ({ status, milliseconds: performance.now() - due });
      all.push(send(port, next()).then(fired));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return Promise.all(all);
}

/** Sends a request on a kept connection. An answer that does not come has the status null. */
export function send(port: number, { method, path, cookie, body }: Asked) {
  const json = body && JSON.stringify(body);
  const headers = {
    ...(cookie && { cookie }),
    ...(json && { "content-type": "application/json", "content-length": Buffer.byteLength(json) }),
  };
  return new Promise<{ status: number | null; text: string; cookie: string }>((resolve) => {
    const lost = () => resolve({ status: null, text: "", cookie: "" });
    request({ host: "127.0.0.1", port, method, path, agent, headers, timeout: PATIENCE }, (answer) => {
      const cookie = (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
      text(answer).then((all) => resolve({ status: answer.statusCode ?? null, text: all, cookie }), lost);
    })
      .on("timeout", function (this: { destroy(): void }) {
        this.destroy();
      })
      .on("error", lost)
      .end(json);
  });
}
