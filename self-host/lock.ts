import { DurableObject } from "cloudflare:workers";

/** The binding of a lock: to its twin. */
interface LockEnv {
  LOCK: DurableObjectNamespace<Lock>;
}

/** The twin of each of the two locks. A start takes `even`. */
const TWINS: Record<string, string> = { even: "odd", odd: "even" };

/** How long one holds until its twin does. The runtime ends a transaction after 30 s. */
const HOLD_MS = 15_000;

const AGAIN_MS = 100;

let isHeld = false;

/** Whether this program has the data folder. It keeps it to its end, also if the runtime restarts the database. */
export function holdsData(): boolean {
  return isHeld;
}

/**
 * Keeps a second program from using the data folder. A transaction that has written holds SQLite's lock on its file: the
 * system releases it when the program ends, and it holds for every name of the file. The runtime ends a transaction after a
 * while, so there are two files: before one lock is released the other is taken.
 */
export class Lock extends DurableObject<LockEnv> {
  /**
   * Resolves when the folder is this program's.
   * @throws {Error} SQLITE_BUSY if another program has it
   */
  take(): Promise<void> {
    return this.#hold(() => this.#twin().probe());
  }

  /** Takes over from the twin. */
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

  /** Resolves when it is held and `check` has passed, and goes on holding. */
  #hold(check: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const held = this.ctx.storage.transaction(async (transaction) => {
        this.#write();
        await check();
        isHeld = true;
        resolve();
        await pause(HOLD_MS);
        // A start of another program may have it for a moment, until that has seen that this one is held.
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

  /** Nothing of it stays: it is rolled back. */
  #write(): void {
    this.ctx.storage.sql.exec("CREATE TABLE held (id INTEGER)");
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
