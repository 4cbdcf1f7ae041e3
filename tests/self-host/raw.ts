import { connect, type Socket } from "node:net";

interface RawOptions {
  host?: string;
  /** Called when the server has sent something: with `Expect: 100-continue`, when it has read the head. */
  onFirstData?: (socket: Socket) => void;
}

/**
 * Ends the writing, for `onFirstData`: nothing follows. workerd otherwise closes the connection after 5 seconds only.
 */
export const endWriting = (socket: Socket) => void socket.end();

/** Sends these bytes on a new connection and resolves with the response when it is closed. */
export function sendRaw(port: number, bytes: string, { host = "127.0.0.1", onFirstData }: RawOptions = {}) {
  return new Promise<string>((resolve, reject) => {
    let answer = "";
    const socket = connect(port, host, () => socket.write(Buffer.from(bytes, "latin1")));
    socket.once("data", () => onFirstData?.(socket));
    socket.setEncoding("latin1").on("data", (text) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

/** The status of each response. */
export function statusesIn(answer: string): number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

const TOKEN = "5e0c7b5e-0000-4000-8000-00000secret0";

/** Requests whose target is not a path, each with a link's token, which must not be logged. */
export const NO_PATH = {
  "in absolute form": `GET http://localhost/verify/${TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  "in absolute form over https": `GET https://hours.example.com/verify/${TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  "without a slash": `GET verify/${TOKEN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  "with an invalid Host": `GET /verify/${TOKEN} HTTP/1.1\r\nHost: a b%%/\r\nConnection: close\r\n\r\n`,
};

export function isTokenIn(lines: string[]): boolean {
  return lines.some((line) => line.includes(TOKEN));
}

/**
 * The values that a client may send as `Host`, or as several, and the status without PUBLIC_ORIGIN; the same at every
 * page and call.
 */
export const HOSTS: Record<string, number> = {
  localhost: 200,
  "LOCALHOST:1": 200,
  "127.0.0.1:65535": 200,
  "[::1]": 200,
  "hours.example.com": 421,
  "192.168.1.5:8787": 421,
  "localhost.": 421,
  "localhost.evil.example": 421,
  "127.1": 421,
  "2130706433": 421,
  "0x7f.0.0.1": 421,
  "127.0.0.2": 421,
  "[::ffff:127.0.0.1]": 421,
  "localhost@evil.example": 400,
  "evil.example@localhost": 400,
  "localhost:99999": 400,
  "localhost:80:80": 400,
  "localhost/": 400,
  "localhost, evil.example": 400,
  "localhost\r\nHost: evil.example": 400,
};

/** A GET with that `Host`, and headers that only a proxy would send. */
export function getFrom(host: string, path: string, more = ""): string {
  const forged = "X-Forwarded-Host: localhost\r\nX-Forwarded-Proto: https\r\nForwarded: host=localhost\r\n";
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${forged}${more}Connection: close\r\n\r\n`;
}

const LOGIN =
  "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n";
const PAGE = "GET /auth HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

/** Requests that two HTTP parsers may read differently. */
export const AMBIGUOUS = {
  "Content-Length and Transfer-Encoding": `${LOGIN}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  "two hosts": `${PAGE}Host: hours.example.com\r\n\r\n`,
  "two lengths": `${LOGIN}Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}`,
  "an unknown encoding": `${LOGIN}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  "a folded header": `${PAGE}X-A: a\r\n b\r\n\r\n`,
  "a space before the colon": `${PAGE}X-A : a\r\n\r\n`,
  "bare line feeds": "GET /auth HTTP/1.1\nHost: localhost\nConnection: close\n\n",
};
