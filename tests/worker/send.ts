import { execFileSync } from "node:child_process";
import { Agent, type IncomingMessage, request } from "node:http";

/** workerd closes a connection that has been idle for five seconds; this stops using it long before that. */
const connections = new Agent({ keepAlive: true, timeout: 1_000 });

/** The time, in milliseconds, after which a program without an answer hangs. */
const HANGS_MS = 4 * 60_000;

/** The ports of programs that hang: whatever else is sent to them fails at once, so that a run ends, and with a reason. */
const hanging = new Set<number>();

interface Line {
  /** Headers beside those of the request. */
  more?: Record<string, string>;
  /** Whether the program takes whole addresses, as a proxy does, and so also their scheme. */
  isProxy?: boolean;
}

/**
 * Sends a request for any address to a program on this machine, and reads the whole response. It follows no redirect
 * and asks for no compression. `fetch` would send it to the address itself, and Miniflare's own method opens a
 * connection for each request, which costs more than the app's response.
 */
export async function sendTo(
  port: number,
  url: string,
  init: RequestInit = {},
  { more = {}, isProxy = false }: Line = {},
): Promise<Response> {
  if (hanging.has(port)) throw new Error(`The program at port ${port} hangs since an earlier request.`);
  const { host, pathname, search } = new URL(url);
  const path = isProxy ? url : pathname + search;
  const { type, bytes } = await encoded(init.body);
  const headers = { ...headersOf(init, type, bytes), host, ...more };
  const { method = "GET" } = init;
  const to = { agent: connections, host: "127.0.0.1", port, method, path, headers };
  return new Promise<Response>((resolve, reject) => {
    const giveUp = setTimeout(() => {
      hanging.add(port);
      reject(new Error(`${method} ${url} has no answer after ${HANGS_MS / 60_000} minutes.\n${processes()}`));
    }, HANGS_MS);
    const fail = (error: Error) => {
      clearTimeout(giveUp);
      reject(error);
    };
    const send = () => {
      const sent = request(to, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("error", fail);
        answer.on("end", () => {
          clearTimeout(giveUp);
          resolve(responseOf(answer, Buffer.concat(pieces)));
        });
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The runtime has closed the idle connection before this request came, so it has not seen the request.
        if (sent.reusedSocket && error.code === "ECONNRESET") send();
        else fail(error);
      });
      sent.end(bytes);
    };
    send();
  });
}

/** Returns the state of every runtime on this machine: it runs, or waits in the kernel as `wchan` names it. */
function processes(): string {
  try {
    const all = execFileSync("ps", ["-eo", "pid,ppid,stat,time,etime,wchan:24,comm"], { encoding: "utf8" });
    return all
      .split("\n")
      .filter((line, index) => index === 0 || line.includes("workerd"))
      .join("\n");
  } catch {
    return "There is no ps on this machine.";
  }
}

/** Returns a body as bytes, with the content type that `fetch` would set if the request has none. */
export async function encoded(body: RequestInit["body"]): Promise<{ type?: string; bytes?: Buffer }> {
  if (body === undefined || body === null) return {};
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body) };
  if (typeof body === "string") return { type: "text/plain;charset=UTF-8", bytes: Buffer.from(body) };
  const whole = new Response(body);
  return { type: whole.headers.get("Content-Type") ?? "", bytes: Buffer.from(await whole.arrayBuffer()) };
}

/** The headers of a request with this body. */
export function headersOf({ headers }: RequestInit, type?: string, bytes?: Buffer): Record<string, string> {
  return {
    ...(type && { "content-type": type }),
    ...Object.fromEntries(new Headers(headers)),
    ...(bytes && { "content-length": String(bytes.length) }),
  };
}

function responseOf({ statusCode = 0, rawHeaders }: IncomingMessage, content: Buffer): Response {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  return new Response(content.length > 0 ? new Uint8Array(content) : null, { status: statusCode, headers });
}
