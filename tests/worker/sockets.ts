import { connect, type Socket } from "node:net";

/** One raw request, byte for byte as a test wants it, on a connection of its own. */
export interface RawRequest {
  /** Resolves with the whole response, when the server has closed the connection or the response is complete. */
  answer: Promise<string>;
  socket: Socket;
}

/** Opens a connection to a port of this machine and writes to it. */
export function write(port: number, text: string): RawRequest {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  const answer = new Promise<string>((resolve) => {
    let read = "";
    socket.on("data", (piece) => {
      read += piece;
      if (isWhole(read)) resolve(read);
    });
    socket.on("error", () => resolve(read));
    socket.on("close", () => resolve(read));
  });
  return { answer, socket };
}

/** Returns whether a response is complete: by its length, or by its last chunk. */
function isWhole(read: string): boolean {
  const [head = "", ...body] = read.split("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length === undefined ? read.endsWith("0\r\n\r\n") : Buffer.byteLength(body.join("\r\n\r\n")) >= Number(length);
}

/** Builds a POST that asks to close its connection afterwards. `body` may be shorter than `length` says. */
export function post(path: string, type: string, body: string, length = Buffer.byteLength(body)): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

/** Builds a login for an unknown account. */
export function wrongLogin(path = "/api/auth/login"): string {
  const body = JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: "not the password" });
  return post(path, "application/json", body);
}

export const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}
