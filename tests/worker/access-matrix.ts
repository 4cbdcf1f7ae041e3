import { restore, type Snapshot, snapshotOf } from "#tests/safe/snapshot.ts";
import { type Call, type Outcome, type Row, VISITORS, type Visitor, type Word } from "./access/cells.ts";
import { ACCESS } from "./access.ts";
import { type MarkedWorld, markedWorldOf } from "./access-world.ts";
import type { App } from "./app.ts";
import type { Answer } from "./client.ts";
import { wrongHeaders } from "./headers.ts";

/* How the tests request the cells of the access matrix, and how they check an answer. */

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** Each row under a unique name, and the methods that its path allows. */
export const ROWS = Object.entries(ACCESS).flatMap(([path, some]) => {
  const list = [some].flat();
  const allowed = METHODS.filter((method) => list.some((row) => callOf(row, method)));
  return list.map((row, index) => ({ name: index > 0 ? `${path} (${index + 1})` : path, row, allowed }));
});

export function callOf(row: Row, method: Method): Call | undefined {
  return method === "OPTIONS" ? undefined : row[method === "HEAD" ? "GET" : method];
}

export function isSafe(method: Method): boolean {
  return method === "GET" || method === "HEAD";
}

export function isSuccess(outcome: Outcome): boolean {
  return typeof outcome === "number" ? outcome < 400 : !outcome.isRefusal;
}

/** The first visitor who is allowed. */
export function allowedVisitor(call: Call | undefined): Visitor | undefined {
  return call && VISITORS.find((visitor) => isSuccess(call.cells[visitor]));
}

/** The visitors who are signed in. */
export function personOf(visitor: Visitor): "owner" | "other" | "admin" | null {
  return visitor === "owner" || visitor === "other" || visitor === "admin" ? visitor : null;
}

/** A response, and the text that was sent for it. */
export interface VisitorAnswer {
  answer: Answer;
  path: string;
  body: string;
}

/** A world that is put back whenever a request has changed it, and the requests of its visitors. */
export class Matrix {
  readonly app: App;
  /** Every typed word, token and secret of the world. */
  readonly privateTexts = new Set<string>();
  #made: { world: MarkedWorld; before: Snapshot } | undefined;
  #requests = 0;

  constructor(app: App) {
    this.app = app;
  }

  /** Returns the world; it is created for the first request. */
  async world(): Promise<MarkedWorld> {
    return this.#made?.world ?? this.#create();
  }

  async #create(): Promise<MarkedWorld> {
    const world = await markedWorldOf(this.app);
    this.#made = { world, before: await snapshotOf(this.app.db) };
    const { words, tokens, secrets } = world;
    for (const word of [...Object.values(words), ...Object.values(tokens), ...secrets]) this.privateTexts.add(word);
    return world;
  }

  /** Puts everything back as it was created, because a request has changed it. */
  async renew(): Promise<MarkedWorld> {
    if (!this.#made) return this.#create();
    await this.app.idle();
    await restore(this.app.db, this.#made.before);
    return this.#made.world;
  }

  /** Sends a visitor's request, with cookies and address of its own. */
  async request(row: Row, method: Method, visitor: Visitor, more: Record<string, string> = {}): Promise<VisitorAnswer> {
    const world = await this.world();
    const call = isSafe(method) ? undefined : callOf(row, method);
    const headers = { "CF-Connecting-IP": this.#nextAddress(), "x-when-idle": "1", ...typeOf(call), ...more };
    const body = call?.form ? new URLSearchParams(call.form(world)).toString() : JSON.stringify(call?.json?.(world));
    const token = tokenOf(row, visitor, world);
    const path = typeof row.address === "string" ? row.address : row.address(world, token);
    const person = personOf(visitor);
    const answer = await (person || visitor === "nobody" || row.link
      ? this.app.as(person ? world[person].cookies : new Map()).send(method, path, { headers, ...(body && { body }) })
      : this.#withStrayToken(method, path, visitor === "right token" ? world.tokens.reset : token, headers, body));
    return { answer, path, body: decodeURIComponent(body ?? "") };
  }

  /** On an address that takes no token the visitor sends one wherever a route might wrongly look for it. */
  #withStrayToken(method: Method, path: string, token: string, headers: Record<string, string>, body?: string) {
    const cookies = new Map([["session", encodeURIComponent(btoa(JSON.stringify(token)))]]);
    // A call refuses a parameter that it does not have.
    const stray = `${path.includes("?") ? "&" : "?"}token=${token}&session=${token}`;
    const address = path.startsWith("/api/") ? path : `${path}${stray}`;
    const all = { ...headers, Authorization: `Bearer ${token}`, "X-Api-Key": token };
    return this.app.as(cookies).send(method, address, { headers: all, ...(body && { body }) });
  }

  /** Every request comes from another address, so that no rate limit counts them together. */
  #nextAddress(): string {
    this.#requests += 1;
    return `10.${this.#requests >> 16}.${(this.#requests >> 8) & 255}.${this.#requests & 255}`;
  }

  /** Returns the words, tokens and secrets of any world that the log holds, and the number of its lines. */
  async sweepLog(): Promise<{ found: string[]; lines: number }> {
    const id = "00000000000000ff";
    await this.app.get("/nothing", { "CF-Ray": id });
    const lines = await this.app.logged((line) => line.event === "request" && line.id === id);
    const log = this.app.log.join("");
    const found = [...this.privateTexts].filter((word) => log.includes(word));
    return { found: [...found, ...(log.match(/@example|\bselect\b|\binsert\b/gi) ?? [])], lines: lines.length };
  }

  /** Returns everything that is stored, as one text for each user who owns it; 0 is no user. */
  async stored(): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const all = await snapshotOf(this.app.db);
    const ownersIn = (table: string) => new Map(all.get(table)?.map((row) => [row.id ?? null, row.user_id]));
    const [requests, exports, targets] = ["verification_requests", "exports", "targets"].map(ownersIn);
    for (const [table, list] of all) {
      if (TRACES.includes(table)) continue;
      for (const { opened_at: _opened, supervisor_time_zone: _zone, last_used_at: _used, ...all } of list) {
        const { checks: _checks, checked_at: _checkedAt, ...row } = all;
        if (row.account_deleted_at) continue; // the remains of a deleted account's export have no owner
        const [request, printed, target] = [row.request_id ?? null, row.export_id ?? null, row.target_id ?? null];
        const owner = requests?.get(request) ?? exports?.get(printed) ?? targets?.get(target);
        const id = Number(row.user_id ?? owner ?? (table === "users" ? row.id : 0));
        found.set(id, `${found.get(id) ?? ""}\n${table} ${JSON.stringify(row)}`);
      }
    }
    return found;
  }
}

/**
 * Tables that any request may change, even a refused one: an attempt is counted, the opening of a link is recorded. The
 * audit log belongs to no user; its facts are compared.
 */
const TRACES = [
  "attempts",
  "verification_log",
  "request_events",
  "events",
  "log_checks",
  "suppressed_addresses",
  "signing_keys",
  "sqlite_sequence",
];

function typeOf(call: Call | undefined): Record<string, string> {
  if (call?.form) return { "Content-Type": "application/x-www-form-urlencoded" };
  return call?.json ? { "Content-Type": "application/json" } : {};
}

function tokenOf({ link = "open" }: Row, visitor: Visitor, world: MarkedWorld): string {
  if (visitor === "nobody") return "abc";
  return visitor === "wrong token" ? crypto.randomUUID() : world.tokens[link];
}

/**
 * Returns what is wrong with a response: text that this visitor neither sent nor may read, its headers, and more round
 * trips than its route may take.
 */
export function faultsOf(
  { answer, path, body }: VisitorAnswer,
  row: Row,
  method: Method,
  visitor: Visitor,
  world: MarkedWorld,
  maySee: (Word | "used")[] = [],
): string[] {
  const said = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  const mine = personOf(visitor);
  const isReadable = (whose: string, word: string) =>
    (mine && whose.startsWith(mine)) || maySee.some((one) => one === whose) || body.includes(word);
  const isKnown = (kind: string, token: string) =>
    path.includes(token) ||
    maySee.some((one) => one === kind) ||
    (mine === "owner" && kind !== "reset" && kind !== "change");
  const told = [
    ...Object.entries(world.words).filter(([whose, word]) => !isReadable(whose, word)),
    ...Object.entries(world.tokens).filter(([kind, token]) => !isKnown(kind, token)),
    ...world.secrets.map((secret) => ["a secret", secret] as const),
  ].filter(([, word]) => said.includes(word));
  const faults = told.map(([whose, word]) => `tells ${whose}: ${word}`);
  faults.push(...wrongHeaders(answer, { path, isSecret: row.link !== undefined, isForm: method === "POST" }));
  if (!(answer.trips <= (isSafe(method) ? 1 : 2))) faults.push(`takes ${answer.trips} round trips`);
  return faults;
}
