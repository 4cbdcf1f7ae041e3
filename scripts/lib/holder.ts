import { createHash } from "node:crypto";
import { once } from "node:events";
import { type BigIntStats, chmodSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { messageOf } from "#app/errors.ts";
import { type Ask, ask, borrowedDatabase, type Reply } from "./borrowed-database.ts";
import { fail } from "./process.ts";
import { dataDir, SOCKET_FILE } from "./settings.ts";

/*
 * Two workerds over one database refuse each other's writes (SQLITE_BUSY, at once), so one program at a time holds the data.
 * It listens on a socket in the data folder, so every program that can open the database finds it: another user's, one in another
 * container, one with another TMPDIR. The system closes the socket with the program. Other commands, such as `npm run seed`, use the
 * database through this socket while the app runs.
 */

/** The facts that the program that holds the data gives about itself; the address once it can be borrowed. */
interface Holder {
  command: string;
  address?: string;
}

/** How long a command waits for another that is starting or ending, in milliseconds. */
const PATIENCE_MS = 2 * 60_000;

/** How long a program may take to say what it is, in milliseconds: one that is stopped (Ctrl-Z) never does. */
const ANSWER_MS = 20_000;

/** The longest path of a socket, in bytes: macOS has 104 with the zero at the end, Linux 108. */
const PATH_MAX = 103;

/**
 * The path of the socket in a data folder, or, where that is too long, by a short link to the folder.
 */
export function socketPath(folder = dataDir): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\hours-tracker-${nameOf(folder)}`;
  const path = join(folder, SOCKET_FILE);
  requireOwnSocket(path, folder);
  return Buffer.byteLength(path) <= PATH_MAX ? path : join(shortLinkTo(folder), SOCKET_FILE);
}

/** The same for every name of a folder. */
function nameOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return createHash("sha256").update(`${dev} ${ino}`).digest("hex").slice(0, 16);
}

const shortLinks = new Map<string, string>();

function shortLinkTo(folder: string): string {
  const known = shortLinks.get(folder);
  if (known) return known;
  const parent = mkdtempSync(join(tmpdir(), "hours-"));
  const link = join(parent, "d");
  symlinkSync(folder, link);
  process.on("exit", () => rmSync(parent, { recursive: true, force: true }));
  shortLinks.set(folder, link);
  return link;
}

/**
 * Requires that this user owns the socket: in a folder to which others can write, one of them could have made it, and
 * it gives access to the whole database.
 */
function requireOwnSocket(path: string, folder: string): void {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === process.getuid?.() || owner === statSync(folder).uid) return;
  fail(
    `${path} belongs to another user, who runs or ran Hours Tracker over this data. Run this as that user. If it does not run, remove the file.`,
  );
}

/**
 * Takes the data folder for this program, or ends it with a message if another program has it. Files that are made from here
 * on, also by programs that it starts, are for this user alone.
 */
export async function holdData() {
  process.umask(0o077);
  const command = `npm run ${process.argv[2] ?? "start"} (process ${process.pid} on ${hostname()})`;
  let lent: { address: string; askDatabase: Ask } | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const answer =
      incoming.method === "POST"
        ? lent && (await reply(incoming, lent.askDatabase))
        : ({ command, address: lent?.address } satisfies Partial<Holder>);
    outgoing.end(JSON.stringify(answer));
  });
  if (!(await tryListen(server))) {
    const holder = await askHolder<Holder>();
    fail(
      holder?.address
        ? `Hours Tracker is already running over this data, at ${holder.address}: ${holder.command}\nStop it first, or start with other data: DATA_DIR=… PORT=… npm start`
        : busy(holder),
    );
  }
  return {
    /** Lends the database to other commands from now on, and sends them the app's address. */
    lend: (address: string, askDatabase: Ask) => {
      lent = { address, askDatabase };
    },
    release: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function busy(holder: Holder | null): string {
  return holder
    ? `${holder.command} is using the data in ${dataDir}\nTry again when it has ended.`
    : `Another program is using the data in ${dataDir}, and does not answer: it is ending, stopped or very busy.\nTry again when it has ended.`;
}

/** The database and the address of the program that holds a data folder, once it can be borrowed; null if no program holds it. */
export async function borrowDatabase(folder = dataDir): Promise<{ database: D1Database; address: string } | null> {
  const deadline = Date.now() + PATIENCE_MS;
  let holder: Holder | null = null;
  while (Date.now() < deadline) {
    if (!(await isHeld(socketPath(folder)))) return null;
    holder = await askHolder<Holder>(undefined, folder);
    if (holder?.address) {
      const { address } = holder;
      return { database: borrowedDatabase((question) => askHolder(question, folder)), address };
    }
    await setTimeout(200);
  }
  fail(busy(holder));
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
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    try {
      await once(server.listen(path), "listening");
      if (process.platform !== "win32") chmodSync(path, 0o600); // a user who can connect can read everything
      server.on("error", (error) => console.error(messageOf(error))); // as in `listen`: the app goes on
      const remove = () => rmSync(path, { force: true });
      process.on("exit", remove);
      server.on("close", () => process.off("exit", remove)); // it may be another program's by then
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") fail(noSocket(error)); // from `listen`
    }
    if (isLast || (await isHeld(path))) break;
    if (found) removeSocket(path, found);
  }
  return false;
}

function noSocket(error: unknown): string {
  return `The data cannot be used in ${dataDir}: ${messageOf(error)}
Only one program may use it, which shows this by a socket there. Choose a folder on a disk of this machine: DATA_DIR=… npm start`;
}

/** Removes the socket of a program that has ended, and not that of another which has replaced it meanwhile. */
function removeSocket(path: string, { ino, mtimeNs }: BigIntStats): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // another program has removed it
  }
  const moved = statSync(aside, { bigint: true });
  if (moved.ino === ino && moved.mtimeNs === mtimeNs) rmSync(aside);
  else renameSync(aside, path);
}

/** Whether a program listens on a socket, be it too busy to answer. */
async function isHeld(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException; // from `connect`
    return !["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(code);
  } finally {
    socket.destroy();
  }
}

/** Asks the program that holds the data: without a question, what it is. Null if there is none, or it does not answer. */
function askHolder<Answer>(question?: unknown, folder = dataDir): Promise<Answer | null> {
  return ask({ socketPath: socketPath(folder), ...(question === undefined && { timeout: ANSWER_MS }) }, question);
}
