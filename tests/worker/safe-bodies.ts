import { request } from "node:http";

/** Checks the answers to a GET and a HEAD with a body, which `fetch` would refuse to send. */
export async function answersToBodies(port: number): Promise<[request: string, status: number][]> {
  const answers: [string, number][] = [];
  for (const method of ["GET", "HEAD"]) {
    for (const path of ["/auth", "/api/user", "/nowhere"]) {
      for (const [how, headers, body] of [
        ["with a length", { "Content-Length": "5" }, "hello"],
        ["in chunks", { "Transfer-Encoding": "chunked" }, "hello"],
        ["that announces 16 MiB", { "Content-Length": String(2 ** 24) }, "hello"],
      ] as const) {
        answers.push([`${method} ${path} ${how}`, await statusOf(port, method, path, { ...headers }, body)]);
      }
    }
  }
  return answers;
}

/** Sends each with and without a body, and compares the answers. */
export const ANSWERS_WITHOUT = ["GET", "HEAD"].flatMap((method) =>
  [
    ["/auth", 200],
    ["/api/user", 401],
    ["/nowhere", 404],
  ].flatMap(([path, status]) =>
    ["with a length", "in chunks", "that announces 16 MiB"].map((how) => [`${method} ${path} ${how}`, status]),
  ),
);

function statusOf(port: number, method: string, path: string, headers: Record<string, string>, body: string) {
  return new Promise<number>((resolve, reject) => {
    const all = { ...headers, "Content-Type": "application/json", Connection: "close" };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all, agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("end", () => sent.destroy());
    });
    sent.on("error", reject).write(body);
    // The answer must not wait for a long body: its rest is never sent.
    if (!("Content-Length" in headers) || Number(headers["Content-Length"]) === body.length) sent.end();
  });
}
