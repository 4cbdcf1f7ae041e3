import { messageOf } from "#app/errors.ts";
import type { StoredBackup } from "#app/server/env.ts";
import { logEvent } from "#app/server/logger.server.ts";
import { completeBackups, isEncrypted, type Reason, timeOf } from "./backup-name.ts";
import type { Stream } from "./packing.ts";
import { isDue } from "./schedule.ts";
import type { Store } from "./store.ts";
import { copy, newestIn, noteIn, removeExpired, take } from "./take.ts";

type Place = Store["place"];

/** What backups are made of, and where they go. */
export interface Job {
  folder: Store;
  s3: Store | null;
  /** A consistent copy of the database, or null while it has no accounts. */
  snapshot(): Promise<Stream | null>;
  key: string | null;
  /** The time of day, or null for no nightly backup. */
  at: string | null;
  zone: string;
}

const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;
/** How many backups of the folder are listed. */
const RECENT = 5;
const NONE = { count: 0, again: 0 };

/** Takes a backup each night, and tries again after a failure: at the next timer, then after 2, 4, 8 … 60 minutes. */
export class Nightly {
  #isBusy = false;
  /** The newest complete backup by place, once looked up. */
  readonly #newest = new Map<Place, string | null>();
  /** The attempts of the timer that have failed in a row, and when the next is due. */
  readonly #failures = new Map<Place, { count: number; again: number }>([["folder", NONE]]);

  /** Does what is due. It never throws, and returns at once while an earlier call is still at work. */
  async tick(job: Job, now: Date): Promise<void> {
    const { at, zone, s3 } = job;
    if (!at || this.#isBusy) return;
    await this.#alone(async () => {
      await this.#attempt("folder", now, async () => {
        const newest = await this.#newestIn(job.folder);
        if (isDue(newest ? timeOf(newest) : null, now, at, zone)) await this.#take(job, now, null);
      });
      if (s3) await this.#attempt("s3", now, () => this.#copyNewest(job, s3, now));
    });
  }

  /**
   * Takes a backup by hand. Returns its name and rows, or why none was taken.
   * @throws {Error} a message for the operator: what failed
   */
  async takeNow(
    job: Job,
    now: Date,
  ): Promise<{ backup: string; rows: Record<string, number>; stored: Place[] } | { refusal: string }> {
    if (this.#isBusy) return { refusal: "another backup is being taken" };
    return this.#alone(async () => {
      const backup = await this.#take(job, now, "by-hand");
      if (!backup) return { refusal: "this database has no accounts yet" };
      if (job.s3) await this.#copyNewest(job, job.s3, now);
      const note = await noteIn(job.folder, backup);
      return { backup, rows: note?.rows ?? {}, stored: job.s3 ? ["folder", "s3"] : ["folder"] };
    });
  }

  /**
   * Takes a backup before a version uses the database of another, unless backups are off. The timer copies it to the store.
   * @throws {Error} a message for the operator: what failed
   */
  async takeBefore(version: string, job: Job, now: Date): Promise<void> {
    if (job.at) await this.#alone(() => this.#take(job, now, `before-${version}`));
  }

  /**
   * When the newest complete backup of each place was taken, by its name; null for none. After a start the folder is
   * listed once; `s3` is null until a timer has listed that store.
   */
  async lastBackups(folder: Store): Promise<Record<Place, Date | null>> {
    return {
      folder: timeOf((await this.#newestIn(folder)) ?? ""),
      s3: timeOf(this.#newest.get("s3") ?? ""),
    };
  }

  /**
   * The newest backups of the folder, and the newest of the store, which is known once a timer has listed it. What the store
   * has was copied from the folder, so it is as large; null if that backup is in the folder no longer.
   */
  async recentBackups(folder: Store): Promise<StoredBackup[]> {
    const names = completeBackups(await folder.list()).slice(0, RECENT);
    const copied = this.#newest.get("s3");
    const listed = (place: Place, name: string) =>
      noteIn(folder, name).then((note) => ({
        place,
        at: timeOf(name),
        encrypted: isEncrypted(name),
        bytes: note?.bytes ?? null,
      }));
    return Promise.all([...(copied ? [listed("s3", copied)] : []), ...names.map((name) => listed("folder", name))]);
  }

  /** How many attempts of the timer have failed in a row, by place. `s3` is missing before its first. */
  failedAttempts(): Record<string, number> {
    return Object.fromEntries([...this.#failures].map(([place, { count }]) => [place, count]));
  }

  async #take({ folder, snapshot, key, zone }: Job, now: Date, reason: Reason | null): Promise<string | null> {
    const name = await take(folder, snapshot, { key, now, reason });
    if (name) await this.#stored(folder, name, zone, now);
    return name;
  }

  /** Only the newest is copied: after days without a connection the others are not sent. */
  async #copyNewest({ folder, key, zone }: Job, s3: Store, now: Date): Promise<void> {
    const name = await this.#newestIn(folder);
    // Any other name: that of a clock which was ahead would be later than all that follow.
    if (!name || name === (await this.#newestIn(s3))) return;
    await copy(folder, s3, name, key);
    await this.#stored(s3, name, zone, now);
  }

  async #newestIn(store: Store): Promise<string | null> {
    const known = this.#newest.get(store.place);
    if (known !== undefined) return known;
    const found = await newestIn(store);
    this.#newest.set(store.place, found);
    return found;
  }

  async #stored(store: Store, name: string, zone: string, now: Date): Promise<void> {
    this.#newest.set(store.place, name);
    const note = await noteIn(store, name);
    const rows = Object.values(note?.rows ?? {}).reduce((sum, count) => sum + count, 0);
    logEvent("info", "backup stored", { place: store.place, backup: name, bytes: note?.bytes, rows });
    try {
      const removed = await removeExpired(store, zone, now);
      if (removed.length > 0) logEvent("info", "backups removed", { place: store.place, backups: removed });
    } catch (error) {
      // The backup is complete; keeping too many is no reason to take it again.
      logEvent("warn", "backups not removed", { place: store.place, problem: messageOf(error) });
    }
  }

  async #attempt(place: Place, now: Date, work: () => Promise<void>): Promise<void> {
    const { count, again } = this.#failures.get(place) ?? NONE;
    // A clock that was ahead and was set back must not delay the next attempt.
    if (again > now.getTime() && again <= now.getTime() + LONGEST_PAUSE_MS) return;
    try {
      await work();
      this.#failures.set(place, NONE);
    } catch (error) {
      const pause = Math.min(MINUTE_MS * 2 ** count, LONGEST_PAUSE_MS);
      this.#failures.set(place, { count: count + 1, again: now.getTime() + pause - MINUTE_MS / 2 });
      logEvent("error", "backup failed", { place, problem: messageOf(error), againInMinutes: pause / MINUTE_MS });
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }
}
