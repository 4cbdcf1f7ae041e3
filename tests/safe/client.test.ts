import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { anEntry, aSupervisor } from "#tests/worker/people.ts";
import { HoursTracker, Refused } from "../../docs/examples/client.ts";

/* The client of docs/examples, from a token to a verified record. Its types are those of the description: `npm run check`. */

const app = await startApp();
const ORIGIN = "http://localhost";

/** Sends a request of the client to the app; the first ones are answered by `before`. */
function sendTo(before: Response[] = []): typeof fetch {
  return async (input, init) => {
    const early = before.shift();
    if (early) return early;
    const url = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init?.headers));
    const answer = await app.as(new Map()).send(init?.method ?? "GET", url.pathname + url.search, {
      headers,
      ...(typeof init?.body === "string" && { body: init.body }),
    });
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };
}

async function clientOf(before: Response[] = []) {
  const kari = await app.register();
  const made = await kari.json("POST", "/api/tokens", { name: "Client", access: "write" });
  return new HoursTracker(ORIGIN, made.json<{ token: string }>().token, sendTo(before));
}

test("the client of the documents logs an entry once, asks a supervisor and follows the record until it is verified", async () => {
  const client = await clientOf();
  const supervisor = await client.call("post", "/api/supervisors", { body: aSupervisor() as never });
  const body = [anEntry()] as never;
  const [entry] = await client.call("post", "/api/entries", { body, key: "shift 1" });
  const [again] = await client.call("post", "/api/entries", { body, key: "shift 1" });
  expect(again).toEqual(entry);
  const id = entry?.id ?? 0;
  const asked = await client.call("post", "/api/verify-request/{id}", {
    path: { id },
    body: { supervisorId: supervisor.id },
  });
  const mine = client.call("post", "/api/verify/{token}", {
    path: { token: asked.verificationToken },
    body: { supervisorName: "Ola Hansen" },
  });
  await expect(mine).rejects.toMatchObject({ status: 403, code: "own_hours" });
  await new HoursTracker(ORIGIN, null, sendTo()).call("post", "/api/verify/{token}", {
    path: { token: asked.verificationToken },
    body: { supervisorName: "Ola Hansen" },
  });
  expect(await client.call("get", "/api/entries/{id}", { path: { id } })).toMatchObject({ verified: true });
  const types: string[] = [];
  for await (const event of client.eventsAfter(0)) types.push(event.type);
  expect(types).toEqual(["record.created", "request.created", "request.answered", "record.verified"]);
});

test("the client of the documents waits as Retry-After says, and reports any other refusal with its code", async () => {
  const busy = () => Response.json({ message: "Busy", code: "busy" }, { status: 429, headers: { "Retry-After": "0" } });
  const client = await clientOf([busy(), busy()]);
  expect(await client.call("get", "/api/supervisors")).toEqual([]);
  const missing = client.call("get", "/api/entries/{id}", { path: { id: 999_999 } });
  await expect(missing).rejects.toBeInstanceOf(Refused);
  await expect(missing).rejects.toMatchObject({ status: 404, code: "not_found" });
});
