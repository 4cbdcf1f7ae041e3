import migrations from "binary:migrations";
import { DurableObject } from "cloudflare:workers";
import { messageOf } from "#app/errors.ts";
import { VERSION } from "#app/server/version.ts";
import { D1 } from "./d1.ts";
import { dump, load, type Rows } from "./dump.ts";
import { bitByBit, decoded, inMemory, piecesOf } from "./dump-stream.ts";
import { type Exec, migrate, missingMigrations, releaseOf } from "./migrations.ts";

interface LockEnv {
  LOCK: DurableObjectNamespace<Lock>;
}

/** The other lock of each of the two. A start takes `even`. */
const TWINS: Record<string, string> = { even: "odd", odd: "even" };

/** The time for which a lock is held before the other takes over. The runtime ends a transaction after 30 s. */
const HOLD_MS = 15_000;

const AGAIN_MS = 100;

let isHeld = false;

/** Whether this program has locked the data folder. It keeps the lock until it ends. */
function holdsData(): boolean {
  return isHeld;
}

/**
 * Prevents a second program from using the data folder. A transaction that has written holds SQLite's lock on its file.
 * The system releases it when the program ends, and it applies to every path of the file. Because the runtime ends long
 * transactions, there are two files: the second is locked before the first is released.
 */
class Lock extends DurableObject<LockEnv> {
  /**
   * Resolves when this program has locked the folder.
   * @throws {Error} SQLITE_BUSY if another program has it
   */
  take(): Promise<void> {
    return this.#hold(() => this.#twin().probe());
  }

  /** Takes over from the other lock. */
  takeOver(): Promise<void> {
    return this.#hold(async () => {});
  }

  /** @throws {Error} SQLITE_BUSY if another program has this lock */
  async probe(): Promise<void> {
    await this.ctx.storage.transaction(async (transaction) => {
      this.#write();
      transaction.rollback();
    });
  }

  /** Resolves when the lock is held and `check` has passed, and keeps holding it. */
  #hold(check: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const held = this.ctx.storage.transaction(async (transaction) => {
        this.#write();
        await check();
        isHeld = true;
        resolve();
        await pause(HOLD_MS);
        // Another program that starts may hold it for a moment, until it sees that this one is locked.
        while (!(await this.#isTakenOver())) await pause(AGAIN_MS);
        transaction.rollback();
      });
      held.catch(reject);
    });
  }

  #isTakenOver(): Promise<boolean> {
    return this.#twin()
      .takeOver()
      .then(
        () => true,
        () => false,
      );
  }

  #twin(): DurableObjectStub<Lock> {
    return this.env.LOCK.getByName(TWINS[this.ctx.id.name ?? ""] ?? "even");
  }

  /** The transaction is rolled back, so nothing is stored. */
  #write(): void {
    this.ctx.storage.sql.exec("CREATE TABLE held (id INTEGER)");
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export { Lock };

export interface AppTimer {
  /** Does the work of the minute `at`, in milliseconds since 1970. */
  tick(at: number): Promise<void>;
  /** Takes a backup before this version uses the database of another. Returns why it failed, or null. */
  backUp(): Promise<string | null>;
}

/** The storage of the executable: Durable Objects with SQLite on disk, in a Worker that only the app can reach. */
interface StorageEnv {
  DATABASE: DurableObjectNamespace<Database>;
  LOCK: DurableObjectNamespace<Lock>;
  TIMER: Service<AppTimer & Rpc.WorkerEntrypointBranded>;
}

/** Answers the app's D1 binding. */
export default {
  fetch: (request, env) => env.DATABASE.getByName("hours-tracker").fetch(request),
} satisfies ExportedHandler<StorageEnv>;

/** What preparing the database came to. */
export interface Preparation {
  /** The migrations that were run: all of them for a new database. */
  migrated: string[];
  isNew?: boolean;
  /** Why the database cannot be used, with advice for the operator. */
  problem: string | null;
  /** The same for everybody, without the database's own words. */
  reason?: string;
  advice?: string;
}

/** Emails are held since a restore (docs/backups.md). It is not in the database's tables, so it is in no backup. */
interface MailHold {
  /** Names this restore in `MAIL_AFTER_RESTORE`. */
  code: string;
  /** The last message that was queued or due at the restore; null before that is known. */
  lastMessage: number | null;
}

const MAIL_HOLD = "mail-hold";

/** The release (`releaseOf`) that used the database last. It is not in the database's tables either. */
const LAST_RELEASE = "version";

/** The app's database. The runtime holds each answer back until its writes are on disk. */
export class Database extends DurableObject<StorageEnv> {
  readonly #d1 = new D1(this.ctx.storage);
  readonly #exec: Exec = (sql, ...values) => this.ctx.storage.sql.exec(sql, ...values).toArray();
  /** The pending request for the lock on the data folder. */
  #lock: Promise<void> | null = null;
  #isPrepared = false;
  #preparing: Promise<Preparation> | null = null;
  /** A restore holds a whole backup in memory. */
  #isRestoring = false;

  override async fetch(request: Request): Promise<Response> {
    const { problem } = await this.prepare();
    if (problem) return Response.json({ success: false, error: problem });
    return this.#d1.answer(request);
  }

  /**
   * Locks the data folder, lets a backup be taken if another version used it last, then runs the missing migrations, all or none.
   * After a failure nothing has changed.
   */
  async prepare(): Promise<Preparation> {
    if (this.#isPrepared) return { migrated: [], problem: null };
    if (this.#preparing) return { ...(await this.#preparing), migrated: [], isNew: false };
    this.#preparing = this.#prepare().finally(() => {
      this.#preparing = null;
    });
    return this.#preparing;
  }

  async #prepare(): Promise<Preparation> {
    try {
      if (!holdsData()) {
        this.#lock ??= this.env.LOCK.getByName("even").take();
        await this.#lock;
      }
    } catch (error) {
      this.#lock = null;
      return isBusy(error)
        ? { migrated: [], problem: "another program uses this data folder", ...IN_USE }
        : { migrated: [], problem: `the data folder cannot be written: ${messageOf(error)}`, ...NO_ROOM };
    }
    const release = await releaseOf(migrations);
    let last: string | undefined;
    try {
      last = await this.ctx.storage.get<string>(LAST_RELEASE);
      const missing = this.ctx.storage.transactionSync(() => missingMigrations(this.#exec, migrations));
      const isNew = missing.length === migrations.length;
      const failure = isNew || (last === release && missing.length === 0) ? null : await this.env.TIMER.backUp();
      if (failure)
        return {
          migrated: [],
          problem: `no backup could be taken before version ${VERSION}: ${failure}`,
          ...NO_BACKUP,
        };
      const migrated = this.ctx.storage.transactionSync(() => migrate(this.#exec, migrations));
      if (last !== release) await this.ctx.storage.put(LAST_RELEASE, release);
      this.#isPrepared = true;
      return { migrated, isNew, problem: null };
    } catch (error) {
      const versions = last ? `; it was last used by version ${last}, and this is version ${release}` : "";
      return { migrated: [], problem: messageOf(error) + versions, ...TOO_NEW_OR_BROKEN };
    }
  }

  hasAccounts(): boolean {
    return this.#exec("SELECT 1 FROM users LIMIT 1").length > 0;
  }

  async mailHold(): Promise<MailHold | null> {
    return (await this.ctx.storage.get<MailHold>(MAIL_HOLD)) ?? null;
  }

  async setMailHold(hold: MailHold | null): Promise<void> {
    await (hold ? this.ctx.storage.put(MAIL_HOLD, hold) : this.ctx.storage.delete(MAIL_HOLD));
  }

  /** A consistent copy of the database as SQL, built in memory. */
  backup(): ReadableStream<Uint8Array> {
    return inMemory(this.#dumped());
  }

  /**
   * A consistent copy of the database as SQL, read bit by bit: until it is read to its end, cancelled, or not read for
   * `UNREAD_MS`, all other writes wait. Null if there are no accounts: nothing is worth a backup then, and a program that
   * was started for a restore must not make the newest one.
   */
  async snapshot(): Promise<ReadableStream<Uint8Array> | null> {
    await this.#d1.writes.opened();
    if (!this.hasAccounts()) return null;
    const open = this.#d1.writes.close();
    return bitByBit(this.#dumped(), open);
  }

  #dumped(): Generator<string> {
    return dump(this.ctx.storage.sql, new Date());
  }

  /**
   * Replaces the database with a backup and runs the migrations that it lacks. Returns the rows of the backup by table, or
   * why it failed. A database with accounts is never replaced.
   */
  async restore(backup: ReadableStream<Uint8Array>): Promise<{ problem: string } | { rows: Rows }> {
    if (this.#isRestoring) {
      await backup.cancel();
      return { problem: "another restore is going on" };
    }
    this.#isRestoring = true;
    try {
      const pieces: Uint8Array[] = []; // read before the transaction, which cannot wait; as bytes, a text is limited to 512 MB
      for await (const piece of piecesOf(backup)) pieces.push(piece);
      const rows = this.ctx.storage.transactionSync(() => {
        if (this.hasAccounts()) throw new Error("this database has accounts: restore into an empty data folder");
        const loaded = load(this.#exec, decoded(pieces));
        migrate(this.#exec, migrations);
        return loaded;
      });
      // In the same turn, so that both are stored or neither.
      await this.setMailHold({ code: crypto.randomUUID().slice(0, 8), lastMessage: null });
      return { rows };
    } catch (error) {
      return { problem: messageOf(error) };
    } finally {
      this.#isRestoring = false;
    }
  }
}

const IN_USE = {
  reason: "Another program uses the data folder.",
  advice: "Nothing was changed. Stop the other program, or give this one a data folder of its own.",
};
const NO_ROOM = {
  reason: "The data folder cannot be written. The log says why.",
  advice:
    "Check that the disk has free space (`df`) and that this user can write to it, then start again. If both are so, a file is damaged: restore a backup into a new data folder; see docs/backups.md.",
};
const NO_BACKUP = {
  reason: "No backup could be taken before this version. The log says why.",
  advice:
    "Nothing was changed. Make room for a backup, or start this version once with BACKUP_AT=off, which takes none; see docs/backups.md.",
};
const TOO_NEW_OR_BROKEN = {
  reason: "The database could not be migrated to this version. The log says why.",
  advice: "Nothing was changed. Run the version that worked before, or restore a backup; see docs/backups.md.",
};

function isBusy(error: unknown): boolean {
  return messageOf(error).includes("SQLITE_BUSY");
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Calls the app's timer once a minute, as Cron Triggers do on Cloudflare. Its alarm is stored on disk: it starts at the
 * first request and continues after restarts.
 */
export class Clock extends DurableObject<StorageEnv> {
  /**
   * Sets the alarm: `now`, at the start of the program, in a second; later only if there is none, or one that a clock which was
   * ahead has set: it would come when the clock says so again.
   */
  async start(now: boolean): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    if (now || alarm === null || alarm > Date.now() + 2 * MINUTE) await this.ctx.storage.setAlarm(Date.now() + SECOND);
  }

  override async alarm(): Promise<void> {
    // Set first, so that an error below does not stop the clock.
    await this.ctx.storage.setAlarm(Date.now() + MINUTE);
    await this.env.TIMER.tick(Date.now());
  }
}
