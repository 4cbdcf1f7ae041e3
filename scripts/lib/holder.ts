import { createHash } from "node:crypto";
import { chmodSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { borrowedDatabase, type Question, questionTo } from "./borrowed-database.ts";
import { fail, messageOf } from "./process.ts";
import { dataDir } from "./settings.ts";

/*
 * Two workerds over one database refuse each other's writes (SQLITE_BUSY, at once), so one program at a time holds
 * the data. It listens on a socket that is named after the folder, which the system takes away with the program; and
 * it lends its database to whoever asks there, so that `npm run seed` works while the app is running.
 */

const BUSY = `Another command is at work on the data in ${dataDir}\nTry again when it is done.`;

/** How long a command waits for one that is just starting, or just finishing. */
const PATIENCE_MS = 2 * 60_000;

export interface Holding {
  /** From now on the database can be borrowed, and who asks is told that the app is at `address`. */
  lend(address: string, database: D1Database): void;
  release(): Promise<void>;
}

/**
 * A path that is short enough for a socket, and the same by whatever name the folder is called: a link to it, or a bind
 * mount of it. The folder must be there.
 */
function socketPath(): string {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  const folder = createHash("sha256").update(`${dev} ${ino}`).digest("hex").slice(0, 16);
  const path = join(process.platform === "win32" ? "\\\\.\\pipe" : tmpdir(), `hours-tracker-${folder}`);
  requireOwnSocket(path);
  return path;
}

/** The system's temporary folder is open to all users, and what is sent through the socket is the whole database. */
function requireOwnSocket(path: string): void {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (process.platform === "win32" || owner === undefined || owner === process.getuid?.()) return;
  fail(`${path} belongs to another user. Start Hours Tracker as that user, or remove the file.`);
}

/**
 * Takes the data folder for this program, or ends it with a message where another one has it. What is made from here on,
 * by what it starts too, is for this user alone.
 */
export async function holdData(): Promise<Holding> {
  process.umask(0o077);
  let lent: { address: string; database: D1Database } | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const answer =
      incoming.method === "POST" ? lent && (await reply(incoming, lent.database)) : { address: lent?.address };
    outgoing.end(JSON.stringify(answer));
  });
  if (!(await tryListen(server))) {
    const { address } = (await ask<{ address?: string }>("GET")) ?? {};
    fail(
      address
        ? `Hours Tracker is already running over this data, at ${address}\nStop it first, or start with other data: DATA_DIR=… PORT=… npm start`
        : BUSY,
    );
  }
  return {
    lend: (address, database) => {
      lent = { address, database };
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The database of the program that holds the data, once it is ready to lend it; null where nobody holds it. */
export async function borrowDatabase(): Promise<D1Database | null> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const holder = await ask<{ address?: string }>("GET");
    if (!holder) return null;
    if (holder.address) return borrowedDatabase((question) => ask("POST", question));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  fail(BUSY);
}

async function reply(incoming: IncomingMessage, database: D1Database): Promise<unknown> {
  try {
    const question: Question = JSON.parse(await text(incoming));
    return { result: await questionTo(database, question) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Listens, in place of a holder that is gone if need be. Returns false where one is there. */
async function tryListen(server: Server): Promise<boolean> {
  const path = socketPath();
  for (const isLast of [false, true]) {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once("error", resolve).listen(path, () => resolve(null));
    });
    if (!error) {
      if (process.platform !== "win32") chmodSync(path, 0o600); // whoever can connect can read everything
      return true;
    }
    if (error.code !== "EADDRINUSE") throw error;
    if (isLast || (await ask("GET"))) break;
    rmSync(path, { force: true });
  }
  return false;
}

/** Asks the holder; null where there is none. */
function ask<Answer>(method: "GET" | "POST", body?: unknown): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: socketPath(), method, path: "/", agent: false });
    outgoing.on("response", (incoming) => text(incoming).then((json) => resolve(JSON.parse(json)), reject));
    outgoing.on("error", () => resolve(null));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
