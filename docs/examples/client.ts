import type { paths } from "./hours-tracker.d.ts";

/*
 * A small client of the API, for Node, Bun, Deno or a browser: it needs fetch and no package. The types of hours-tracker.d.ts are
 * generated from the description. Copy both files and change what you need.
 */

type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Method<Path extends keyof paths> = Extract<
  { [Name in keyof paths[Path]]-?: paths[Path][Name] extends { responses: object } ? Name : never }[keyof paths[Path]],
  string
>;
type Answer<Operation> = Operation extends { responses: infer All } ? Json<All[keyof All]> : never;
type Body<Operation> = Operation extends { requestBody: infer Sent } ? Json<Sent> : undefined;
type Query<Operation> = Operation extends { parameters: { query?: infer Named } } ? Named : undefined;

/** What a call sends besides its address. */
interface Sent<Operation> {
  /** The parameters in the address, by name. */
  path?: Record<string, string | number>;
  query?: Query<Operation>;
  body?: Body<Operation>;
  /** Names this sending: with the same key nothing is saved twice. */
  key?: string;
  /** The ETag of the version that is changed. */
  ifMatch?: string;
}

/** A call that was refused: `code` is for programs and never renamed, the message is for people. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { message, code }: { message: string; code: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** How often a call is sent again that was refused for a while (429, 503). */
const TRIES = 5;

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The calls of one server with one token, or without one for those who have a link. */
export class HoursTracker {
  readonly #origin: string;
  readonly #token: string | null;
  readonly #fetch: typeof fetch;

  constructor(origin: string, token: string | null, send: typeof fetch = fetch) {
    this.#origin = origin;
    this.#token = token;
    this.#fetch = send;
  }

  /**
   * Makes a call and returns its answer. After 429 and 503 it waits as long as `Retry-After` says, and sends it again.
   * @throws {Refused} for every other refusal
   */
  async call<Path extends keyof paths, Name extends Method<Path>>(
    method: Name,
    path: Path,
    sent: Sent<paths[Path][Name]> = {},
  ): Promise<Answer<paths[Path][Name]>> {
    const { query, body, key, ifMatch } = sent;
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(sent.path?.[name] ?? "")));
    const url = new URL(address, this.#origin);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const headers = {
      ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(key && { "Idempotency-Key": key }),
      ...(ifMatch && { "If-Match": ifMatch }),
    };
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#fetch(url, {
        method: method.toUpperCase(),
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (answer.ok) return (await answer.json()) as Answer<paths[Path][Name]>; // as the description says
      const isForAWhile = answer.status === 429 || answer.status === 503;
      if (!isForAWhile || tries === TRIES) throw new Refused(answer.status, await answer.json());
      await wait(Number(answer.headers.get("Retry-After") ?? 60));
    }
  }

  /** The events after an event, oldest first, up to the newest. Store the id of the last one with what you made of it. */
  async *eventsAfter(last: number) {
    for (let after = last; ; ) {
      const events = await this.call("get", "/api/events", { query: { after: String(after) } });
      if (events.length === 0) return;
      yield* events;
      after = events.at(-1)?.id ?? after;
    }
  }
}
