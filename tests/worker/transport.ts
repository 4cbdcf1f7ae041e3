import { encoded, headersOf } from "./send.ts";

/** How a test starts the app. */
export interface Settings {
  /** The Worker's environment, except its database. */
  env?: Record<string, string>;
  /** The public origin. */
  origin?: string;
  /** Serves the static files too. */
  assets?: boolean;
  /** Cloudflare's rate limiting binding, with that many requests a minute. Without it there is no such limit. */
  rateLimit?: number;
  /** Hashes passwords at their real cost; otherwise it is almost none. */
  realHashes?: boolean;
  /** Certificate authorities beside the runtime's own, in PEM; in Miniflare alone. */
  authorities?: string[];
  /**
   * Pieces of SQL statements that are replaced on their way to the database: a broken app, which a test must detect.
   */
  sabotage?: [from: string, to: string][];
}

/** Tests send more requests from one network than users do. */
export const NO_RATE_LIMIT = "1000000";

/** Where requests go: Miniflare or the executable. */
export interface Transport {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  /** The log output so far, in chunks. */
  readonly log: string[];
  tick(at: Date): Promise<void>;
  readonly url?: Promise<URL>;
}

/** A request of a race that waits for the others. */
interface Racer {
  number: number;
  sent: { url: string; method: string; headers: Record<string, string>; body: string | null };
  settle: (answer: Raced) => void;
  fail: (error: unknown) => void;
}

type Raced = { status: number; headers: [string, string][]; text: string } | { error: string };

/**
 * Sends the requests of a race (tests/safe/race.ts) together, once all of them are here: `x-race: {name} {size} {number}
 * {seed}`. Every other request goes on as it is.
 */
export function withRaces(transport: Transport): Transport {
  const races = new Map<string, Racer[]>();
  const start = async (racers: Racer[], seed: number) => {
    const requests = racers.sort((one, other) => one.number - other.number).map(({ sent }) => sent);
    const body = JSON.stringify({ seed, requests });
    const answer = await transport.dispatchFetch("http://harness.test/race", { method: "POST", body });
    const answers = (await answer.json()) as Raced[];
    for (const [index, { settle }] of racers.entries()) settle(answers[index] as Raced); // one for each
  };
  const dispatchFetch: Transport["dispatchFetch"] = async (url, init = {}) => {
    const [name = "", size, number, seed] = (new Headers(init.headers).get("x-race") ?? "").split(" ");
    if (!name) return transport.dispatchFetch(url, init);
    const { type, bytes } = await encoded(init.body);
    const headers = headersOf(init, type, bytes);
    const sent = { url, method: init.method ?? "GET", headers, body: bytes?.toString("base64") ?? null };
    const racers = races.get(name) ?? [];
    races.set(name, racers);
    const answer = await new Promise<Raced>((settle, fail) => {
      racers.push({ number: Number(number), sent, settle, fail });
      if (racers.length < Number(size)) return;
      races.delete(name);
      start(racers, Number(seed)).catch((error) => {
        for (const racer of racers) racer.fail(error);
      });
    });
    if ("error" in answer) throw new Error(answer.error);
    const { status, headers: told, text } = answer;
    return new Response(text || null, { status, headers: told });
  };
  return { ...transport, dispatchFetch };
}
