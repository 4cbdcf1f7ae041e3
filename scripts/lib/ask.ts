import { type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Sends one request, with a JSON body if there is one, on a connection of its own. Returns the JSON of the answer, or null if
 * nobody answers.
 */
export function ask<Answer>(to: RequestOptions, body?: unknown): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ method: body === undefined ? "GET" : "POST", path: "/", agent: false, ...to });
    outgoing.on("response", (incoming) =>
      text(incoming)
        .then((json) => resolve(JSON.parse(json)))
        .catch(reject),
    );
    outgoing.on("error", () => resolve(null));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
