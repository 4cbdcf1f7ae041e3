import { request } from "node:http";

/** Checks the answers to a GET and a HEAD with a body, which `fetch` would refuse to send. */
export async function answersToBodies(port: number): Promise<[request: string, status: number][]> {
  const answers: [string, number][] = [];
  for (const method of ["GET", "HEAD"]) {
    for (const path of ["/auth", "/api/user", "/nowhere"]) {
      for (const [how, headers, body] of [
        ["with a length", { "Content-Length": "5" }, "hello"],
        ["in chunks", { "Transfer-Encoding": "chunked" }, "hello"],
        ["of 2 MiB", { "Content-Length": String(2 ** 21) }, "x".repeat(2 ** 21)],
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
    ["with a length", "in chunks", "of 2 MiB"].map((how) => [`${method} ${path} ${how}`, status]),
  ),
);

function statusOf(port: number, method: string, path: string, headers: Record<string, string>, body: string) {
  return new Promise<number>((resolve, reject) => {
    let status = 0;
    const all = { ...headers, "Content-Type": "application/json", Connection: "close" };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all, agent: false }, (answer) => {
      status = answer.statusCode ?? 0;
      answer.resume().on("end", () => resolve(status));
    });
    // A client that is answered before the end of its long body may see its connection closed.
    sent.on("error", (error) => (status ? resolve(status) : reject(error))).end(body);
  });
}
