import { inject, vi } from "vitest";
import { SESSION_SECONDS, sessionId } from "#app/accounts/access.server.ts";
import { startBinaryLine } from "#tests/self-host/line.ts";
import { Client, freshAddress } from "./client.ts";
import { databaseOf } from "./database.ts";
import { startMiniflare } from "./miniflare.ts";
import { PASSWORD, PASSWORD_HASH, Technician } from "./people.ts";
import { type Settings, withRaces } from "./transport.ts";

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
  /** The cost that each password hash since the last call would have had. */
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
 * The built Worker in workerd with the real D1 and a new database of all migrations, for one test or file; or in the
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

/** A client that sends each request from a new address and without cookies, and keeps none. */
class AnonymousClient extends Client {
  override async send(...args: Parameters<Client["send"]>) {
    this.address = freshAddress();
    const answer = await super.send(...args);
    this.cookies.clear();
    return answer;
  }
}
