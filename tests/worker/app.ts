import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import { inject, vi } from "vitest";
import { SESSION_SECONDS, sessionId } from "#app/accounts/access.server.ts";
import { startBinaryLine } from "#tests/self-host/line.ts";
import { Client, freshAddress } from "./client.ts";
import { dataFolderOf } from "./data-folder.ts";
import { copyTemplate, DATABASE, databaseOf } from "./database.ts";
import { beside, HARNESS } from "./harness.ts";
import { REACHED, transportTo } from "./miniflare-transport.ts";
import { PASSWORD, PASSWORD_HASH, Technician } from "./people.ts";
import { SIGNING_KEY } from "./signing-key.ts";
import { NO_RATE_LIMIT, type Settings, type Transport, withRaces } from "./transport.ts";

/** The built Worker with its request checks, and a database of its own. */
export interface App extends Client {
  /** Reads what is stored, and inserts rows that no call can create. */
  readonly db: D1Database;
  /** The lines that the Worker has logged. */
  readonly log: string[];
  /** Resolves with the log's lines once one of them passes the test: they arrive a little after the response. */
  logged(isExpected: (line: ShownEvent) => boolean): Promise<ShownEvent[]>;
  /** Creates an account and signs in. The password is `PASSWORD`. */
  register(over?: Partial<Account>): Promise<Technician>;
  /** Creates accounts with sessions in one round trip, without logging in: for tests that need them thousands of times. */
  registerAll(...over: Partial<Account>[]): Promise<Technician[]>;
  /** Every SQL statement that the app has run here, with its latest bound values. */
  statements(): Promise<[sql: string, values: unknown[]][]>;
  /** The cost of each password hash since the last call, in a Worker with cheap hashes. */
  hashes(): Promise<string[]>;
  /** Resolves when the work behind all responses so far is done: emails, and recorded openings. */
  idle(): Promise<void>;
  /** Runs the scheduled handler as of this moment. */
  tick(at: Date): Promise<void>;
  /** Sets the app's clock, which goes on from there. */
  setClock(at: Date): Promise<void>;
  /** In Miniflare, the port of workerd. */
  readonly url: Promise<URL> | undefined;
}

/** A line of the log (app/server/logger.server.ts). */
export interface ShownEvent extends Record<string, unknown> {
  level: string;
  event: string;
}

interface Account {
  email: string;
  name: string | null;
  employeeNumber: string | null;
  isAdmin: boolean;
  /** Whether the address is confirmed: it is, unless a test says otherwise. */
  isConfirmed: boolean;
}

/**
 * Starts the built Worker in workerd for one test file, with the real D1 and the real migrations; or in the
 * executable, if the suite runs against it. The app itself is a client without cookies.
 */
export async function startApp(settings: Settings = {}): Promise<App> {
  const { origin = "http://localhost" } = settings;
  const isBinary = inject("target") === "binary";
  const transport = withRaces(isBinary ? await startBinaryLine(settings) : await startMiniflare(settings));
  const db = databaseOf(transport);
  let registered = 0;
  const accountWith = (over: Partial<Account>): Account => {
    registered += 1;
    return {
      email: `technician-${registered}@example.com`,
      name: `Technician ${registered}`,
      employeeNumber: `NDT-${registered}`,
      isAdmin: false,
      isConfirmed: true,
      ...over,
    };
  };
  const inserted = ({ email, name, employeeNumber, isAdmin, isConfirmed }: Account) =>
    db
      .prepare(
        `INSERT INTO users (email, password, name, employee_number, is_admin, search, created_at, email_confirmed_at)
          VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, iif(?7, ?6, NULL)) RETURNING id, created_at`,
      )
      .bind(email, PASSWORD_HASH, name, employeeNumber, isAdmin ? 1 : 0, Date.now(), isConfirmed ? 1 : 0);
  const anonymous = new AnonymousClient(transport, origin);
  return Object.assign(anonymous, {
    db,
    log: transport.log,
    url: transport.url,

    async register(over: Partial<Account> = {}) {
      const account = accountWith(over);
      await inserted(account).run();
      const technician = new Technician(transport, origin, db);
      const answer = await technician.json("POST", "/api/auth/login", { email: account.email, password: PASSWORD });
      return technician.signedIn(answer);
    },

    async registerAll(...overs: Partial<Account>[]) {
      const all = overs.map((over) => ({ account: accountWith(over), token: crypto.randomUUID() }));
      const made = await db.batch<{ id: number; created_at: number }>(
        all.flatMap(({ account, token }) => [inserted(account), sessionFor(db, account.email, token)]),
      );
      return all.map(({ account, token }, index) => {
        const [row] = made[2 * index]?.results ?? [];
        if (!row) throw new Error("the account was not created");
        const createdAt = new Date(row.created_at).toISOString();
        const { isConfirmed, ...own } = account;
        const user = { id: row.id, ...own, createdAt, emailConfirmedAt: isConfirmed ? createdAt : null };
        return new Technician(transport, origin, db).signedInWith(user, token);
      });
    },

    logged(isExpected: (line: ShownEvent) => boolean) {
      const findLine = () => {
        // The last chunk may end inside a line.
        const lines = transport.log.join("").split("\n").slice(0, -1);
        const found = lines.map((text): ShownEvent => JSON.parse(text));
        if (!found.some(isExpected)) throw new Error(`the log has no such line:\n${lines.join("\n")}`);
        return found;
      };
      return vi.waitFor(findLine, { interval: 5, timeout: 2 * 60_000 });
    },

    async statements() {
      const answer = await transport.dispatchFetch("http://harness.test/");
      return (await answer.json()) as [string, unknown[]][];
    },

    async hashes() {
      return (await (await transport.dispatchFetch("http://harness.test/hashes")).json()) as string[];
    },

    async idle() {
      await (await transport.dispatchFetch("http://harness.test/idle")).text();
    },

    tick: (at: Date) => transport.tick(at),

    async setClock(at: Date) {
      await transport.dispatchFetch(`http://harness.test/clock?at=${at.getTime()}`);
    },
  });
}

/** The statement that stores a session of a user. */
function sessionFor(db: D1Database, email: string, token: string): D1PreparedStatement {
  const now = Date.now();
  return db
    .prepare(
      `INSERT INTO sessions (id, user_id, created_at, expires_at, reference, address, browser)
        SELECT ?, id, ?, ?, ?, '10.0.0.1', 'tests' FROM users WHERE email = ?`,
    )
    .bind(sessionId(token), now, now + SESSION_SECONDS * 1000, token.replaceAll("-", "").slice(0, 16), email);
}

async function startMiniflare(settings: Settings): Promise<Transport> {
  const { env = {}, assets = false, cheapHashes = false, sabotage = [], rateLimit, authorities } = settings;
  const { compatibilityDate, compatibilityFlags, assets: assetOptions } = inject("runtime");
  const log: string[] = [];
  const server = resolve("build/server");
  const data: string = dataFolderOf(() => miniflare.dispose());
  copyTemplate(data);
  const miniflare = new Miniflare({
    name: "hours-tracker",
    compatibilityDate,
    compatibilityFlags,
    modulesRoot: server,
    modules: [
      ...beside(server, HARNESS),
      { type: "ESModule", path: join(server, "index.js"), contents: builtWorker(server, cheapHashes) },
    ],
    bindings: {
      SESSION_SECRET: "a secret for tests, of 32 bytes and more",
      REQUESTS_PER_MINUTE: NO_RATE_LIMIT,
      SIGNING_KEY,
      SABOTAGE: sabotage,
      ...env,
    },
    d1Databases: { DB: DATABASE },
    d1Persist: data,
    telemetry: { enabled: false },
    ...REACHED,
    handleRuntimeStdio: (...streams: NodeJS.ReadableStream[]) => {
      for (const stream of streams) stream.on("data", (chunk: Buffer) => log.push(String(chunk)));
    },
    ...(assets && { assets: assetOptions }),
    ...(authorities && {
      outboundService: {
        network: {
          allow: ["public", "private"],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: authorities },
        },
      },
    }),
    ...(rateLimit && { ratelimits: { RATE_LIMITER: { simple: { limit: rateLimit, period: 60 } } } }),
  } as ConstructorParameters<typeof Miniflare>[0]); // assets are wrangler's own words for Miniflare's options

  const dispatchFetch = await transportTo(miniflare);
  return {
    log,
    url: miniflare.ready,
    dispatchFetch,
    async tick(at) {
      // Miniflare's own method costs Node more processor time than a request.
      await dispatchFetch(`http://harness.test/tick?at=${at.getTime()}`);
    },
  };
}

function builtWorker(server: string, cheapHashes: boolean): string {
  const built = readFileSync(join(server, "index.js"), "utf8");
  return cheapHashes ? cheapened(built) : built;
}

/** The built Worker with password hashes at almost no cost. */
export function cheapened(built: string): string {
  const cheap = built.replaceAll(/from\s*"node:crypto"/g, 'from "./cheap-crypto.js"');
  if (cheap === built) throw new Error("the built Worker imports node:crypto in another way than expected");
  return cheap;
}

/** A client that sends each request from a new address and without cookies, and keeps none. */
class AnonymousClient extends Client {
  override async send(...args: Parameters<Client["send"]>) {
    this.address = freshAddress();
    const answer = await super.send(...args);
    this.cookies.clear();
    return answer;
  }
}
