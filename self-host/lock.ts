import { DurableObject } from "cloudflare:workers";

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
export function holdsData(): boolean {
  return isHeld;
}

/**
 * Prevents a second program from using the data folder. A transaction that has written holds SQLite's lock on its file.
 * The system releases it when the program ends, and it applies to every path of the file. Because the runtime ends long
 * transactions, there are two files: the second is locked before the first is released.
 */
export class Lock extends DurableObject<LockEnv> {
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
