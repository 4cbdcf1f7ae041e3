import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { messageOf } from "#app/errors.ts";
import { type Ask, ask, borrowedDatabase, type Reply } from "./borrowed-database.ts";
import { fail } from "./process.ts";
import { dataDir } from "./settings.ts";

/*
 * Two workerds over one database refuse each other's writes (SQLITE_BUSY, at once), so one program at a time holds the data.
 * It listens on a socket that is named after the folder, and the system closes the socket with the program. Other commands,
 * such as `npm run seed`, use the database through this socket while the app runs.
 */

const BUSY = `Another command is using the data in ${dataDir}\nTry again when it has ended.`;

/** How long a command waits for another that is starting or ending, in milliseconds. */
const PATIENCE_MS = 2 * 60_000;

/** The socket's path: short enough for a socket, and the same for every name of the folder, such as a link or a bind mount. */
export function socketPath(folder = dataDir): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = createHash("sha256").update(`${dev} ${ino}`).digest("hex").slice(0, 16);
  const path = join(process.platform === "win32" ? "\\\\.\\pipe" : tmpdir(), `hours-tracker-${name}`);
  requireOwnSocket(path);
  return path;
}

/** All users can write to the system's temporary folder, and the socket gives access to the whole database. */
function requireOwnSocket(path: string): void {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (process.platform === "win32" || owner === undefined || owner === process.getuid?.()) return;
  fail(`${path} belongs to another user. Start Hours Tracker as that user, or remove the file.`);
}

/**
 * Takes the data folder for this program, or ends it with a message if another program has it. Files that are made from here
 * on, also by programs that it starts, are for this user alone.
 */
export async function holdData() {
  process.umask(0o077);
  let lent: { address: string; askDatabase: Ask } | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const answer =
      incoming.method === "POST" ? lent && (await reply(incoming, lent.askDatabase)) : { address: lent?.address };
    outgoing.end(JSON.stringify(answer));
  });
  if (!(await tryListen(server))) {
    const { address } = (await askHolder<{ address?: string }>()) ?? {};
    fail(
      address
        ? `Hours Tracker is already running over this data, at ${address}\nStop it first, or start with other data: DATA_DIR=… PORT=… npm start`
        : BUSY,
    );
  }
  return {
    /** Lends the database to other commands from now on, and tells them the app's address. */
    lend: (address: string, askDatabase: Ask) => {
      lent = { address, askDatabase };
    },
    release: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** The database and the address of the program that holds a data folder, once it can be borrowed; null if no program holds it. */
export async function borrowDatabase(folder = dataDir): Promise<{ database: D1Database; address: string } | null> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const holder = await askHolder<{ address?: string }>(undefined, folder);
    if (!holder) return null;
    const { address } = holder;
    if (address) return { database: borrowedDatabase((question) => askHolder(question, folder)), address };
    await setTimeout(200);
  }
  fail(BUSY);
}

async function reply(incoming: IncomingMessage, askDatabase: Ask): Promise<Reply | null> {
  try {
    return await askDatabase(JSON.parse(await text(incoming)));
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Listens on the socket, or returns false if another program does. A socket file without a program is replaced. */
async function tryListen(server: Server): Promise<boolean> {
  const path = socketPath();
  for (const isLast of [false, true]) {
    try {
      await once(server.listen(path), "listening");
      if (process.platform !== "win32") chmodSync(path, 0o600); // a user who can connect can read everything
      server.on("error", (error) => console.error(messageOf(error))); // as in `listen`: the app goes on
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error; // from `listen`
    }
    if (isLast || (await askHolder())) break;
    rmSync(path, { force: true });
  }
  return false;
}

/** Asks the program that holds the data: without a question, whether it is there. Null if there is none. */
function askHolder<Answer>(question?: unknown, folder = dataDir): Promise<Answer | null> {
  return ask({ socketPath: socketPath(folder) }, question);
}
