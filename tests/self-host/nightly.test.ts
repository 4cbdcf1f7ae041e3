import { afterEach, expect, test, vi } from "vitest";
import type { Env } from "#app/server/env.ts";
import { answerBackup } from "#self-host/backup-endpoint.ts";
import { backupName, noteOf } from "#self-host/backups/backup-name.ts";
import { type Job, Nightly } from "#self-host/backups/nightly.ts";
import type { Stream } from "#self-host/backups/packing.ts";
import { openBackup } from "#self-host/backups/restore.ts";
import type { Store } from "#self-host/backups/store.ts";

/*
 * The timer's work over days, with stores in memory. Tests with real ones are in stored-backups.test.ts and
 * s3-faults.test.ts.
 */

const SQL = `-- Hours Tracker backup\n--;\n-- rows {"users":1}\n--;\nCREATE TABLE users (id INTEGER);\n--;\nINSERT INTO users VALUES (1);\n--;\n-- end of backup\n`;
const MINUTE_MS = 60_000;

class Memory implements Store {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  isBroken = false;
  readonly place: Store["place"];
  constructor(place: Store["place"]) {
    this.place = place;
  }
  list = async () => [...this.files.keys()];
  async read(name: string): Promise<Stream | null> {
    const bytes = this.files.get(name);
    return bytes ? new Blob([bytes]).stream() : null;
  }
  async write(name: string, content: Stream | string): Promise<void> {
    const bytes = await new Response(content as BodyInit).bytes();
    this.files.set(name, new Uint8Array(bytes));
    if (this.isBroken) throw new Error("broken");
  }
  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }
}

function job(more: Partial<Job> = {}): Job & { folder: Memory; s3: Memory } {
  const snapshot = async () => new Blob([SQL]).stream() as Stream;
  return {
    snapshot,
    key: null,
    at: "02:30",
    zone: "UTC",
    folder: new Memory("folder"),
    s3: new Memory("s3"),
    ...more,
  } as never;
}

afterEach(() => vi.restoreAllMocks());

const at = (time: string) => new Date(`2026-11-${time}:00Z`);
const stored = ({ files }: Memory) => [...files.keys()].filter((name) => !name.endsWith(".json"));

test("one backup a night is stored in both places, and none in between", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const nightly = new Nightly();
  const work = job();
  for (let minute = 0; minute < 3 * 24 * 60; minute += 7) {
    await nightly.tick(work, new Date(at("20T12:00").getTime() + minute * MINUTE_MS));
  }
  expect(stored(work.folder)).toHaveLength(4); // at the start, and three nights
  expect(stored(work.s3)).toEqual(stored(work.folder));
  expect(await nightly.lastBackups(work.folder)).toEqual({ folder: expect.any(Date), s3: expect.any(Date) });
  expect((await new Nightly().lastBackups(work.folder)).folder).toEqual(
    (await nightly.lastBackups(work.folder)).folder,
  );
});

test("the last five backups of the folder are listed with their size, after the newest of the store", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const nightly = new Nightly();
  const work = job({ key: "k".repeat(32) });
  for (let day = 10; day < 17; day++) await nightly.tick(work, at(`${day}T03:00`));
  const list = await nightly.recentBackups(work.folder);
  expect(list.map(({ place }) => place)).toEqual(["s3", ...Array(5).fill("folder")]);
  const one = { encrypted: true, bytes: expect.any(Number) };
  expect(list[0]).toEqual({ place: "s3", at: at("16T03:00"), ...one });
  expect(list[5]).toEqual({ place: "folder", at: at("12T03:00"), ...one });
  // Until its timer has listed the store, a new start has only the folder's backups.
  expect(await new Nightly().recentBackups(work.folder)).toEqual(list.slice(1));
});

test("a failed copy is tried again at the next minute, then after longer pauses; the half of it is removed", async () => {
  const lines: string[] = [];
  for (const method of ["log", "error", "warn"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(line));
  const nightly = new Nightly();
  const work = job();
  work.s3.isBroken = true;
  for (let minute = 0; minute < 300; minute += 1) {
    await nightly.tick(work, new Date(at("20T12:00").getTime() + minute * MINUTE_MS));
  }
  const pauses = lines.filter((line) => line.includes("backup failed")).map((line) => JSON.parse(line).againInMinutes);
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  expect(nightly.failedAttempts()).toEqual({ folder: 0, s3: 10 });
  expect(stored(work.folder)).toHaveLength(1);
  expect([...work.s3.files]).toEqual([]);
  work.s3.isBroken = false;
  await nightly.tick(work, at("20T18:00"));
  expect(stored(work.s3)).toEqual(stored(work.folder));
  expect(nightly.failedAttempts()).toEqual({ folder: 0, s3: 0 });
});

// Detects a half of a backup that counts for a night, or for the newest.
test("a file that a crash left without its note does not count and is not deleted", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const work = job();
  const half = backupName(at("21T02:30"), false);
  const good = backupName(at("20T02:30"), false);
  for (const name of [half, good, noteOf(good)]) work.folder.files.set(name, new Uint8Array([1]));
  await new Nightly().tick(work, at("21T02:31"));
  expect(stored(work.folder)).toEqual([half, good, backupName(at("21T02:31"), false)]);
});

test("nothing is taken while there are no accounts, or if BACKUP_AT is off", async () => {
  for (const more of [{ snapshot: async () => null }, { at: null }]) {
    const work = job(more);
    await new Nightly().tick(work, at("21T02:31"));
    expect([...work.folder.files, ...work.s3.files]).toEqual([]);
  }
});

// Detects a name that is not later than that of the backup before.
test("each of several backups by hand within a second has a later name, and none replaces another", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const nightly = new Nightly();
  const work = job({ at: null });
  const now = at("21T12:00");
  const names: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const taken = await nightly.takeNow(work, now);
    names.push("backup" in taken ? taken.backup : taken.refusal);
    expect([stored(work.folder), stored(work.s3)]).toEqual([names, names]);
  }
  expect(names).toEqual([...names].sort());
});

// The same after the clock was set back.
test("a backup that is taken after the clock was set back within a day is the newest", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const nightly = new Nightly();
  const work = job({ at: null });
  const first = await nightly.takeNow(work, at("21T12:00"));
  const taken = await nightly.takeNow(work, at("21T11:00"));
  expect(stored(work.folder).sort()).toEqual(["backup" in first && first.backup, "backup" in taken && taken.backup]);
  expect(stored(work.s3)).toEqual(stored(work.folder));
});

// Writes wait from the snapshot on, and would wait until it is given up.
test("a folder that cannot be listed holds up no writes", async () => {
  const snapshot = vi.fn();
  const work = job({ snapshot });
  const nightly = new Nightly();
  await nightly.lastBackups(work.folder);
  work.folder.list = async () => {
    throw new Error("broken");
  };
  await expect(nightly.takeNow(work, at("21T02:31"))).rejects.toThrow("broken");
  expect(snapshot).not.toHaveBeenCalled();
});

// Seen to fail: the snapshot was taken first, as with a network drive that is gone.
test("a folder that answers no write holds up no writes of the app", async () => {
  const snapshot = vi.fn();
  const work = job({ snapshot });
  work.folder.write = () => new Promise(() => {});
  const taking = new Nightly().takeNow(work, at("21T02:31"));
  await Promise.race([taking, new Promise((resolve) => setTimeout(resolve, 100))]);
  expect(snapshot).not.toHaveBeenCalled();
});

test("a database without accounts leaves nothing in the folder", async () => {
  const work = job({ snapshot: async () => null });
  expect(await new Nightly().takeNow(work, at("21T02:31"))).toEqual({ refusal: "this database has no accounts yet" });
  expect([...work.folder.files.keys()]).toEqual([]);
});

test("backups by hand are kept beside each other and the nightly one of the same day", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const [work, nightly] = [job(), new Nightly()];
  for (const time of ["21T08:00", "21T09:00"]) await nightly.takeNow(work, at(time));
  for (const time of ["22T02:31", "23T02:31"]) await nightly.tick(work, at(time));
  await nightly.takeNow(work, at("23T09:00"));
  for (const place of [work.folder, work.s3]) {
    expect(stored(place)).toEqual([
      ...[backupName(at("21T08:00"), false, "by-hand"), backupName(at("21T09:00"), false, "by-hand")],
      ...[backupName(at("22T02:31"), false), backupName(at("23T09:00"), false, "by-hand")],
    ]);
  }
});

test("a request for a backup while one is taken stores nothing, and is not logged as a failure", async () => {
  const lines: string[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(line));
  const [work, nightly, token] = [job(), new Nightly(), "a token for tests, of 32 characters".replaceAll(" ", "-")];
  const ask = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/backup", { method: "POST", headers });
    const withoutMail = <T>(work: () => Promise<T>) => work();
    return answerBackup(request, {} as Env, { token, nightly, database: {} as never, job: () => work, withoutMail });
  };
  const [first, second] = await Promise.all([ask(), ask()]);
  expect([first?.status, second?.status, await second?.json()]).toEqual([
    200,
    409,
    { message: "Nothing was stored: another backup is being taken." },
  ]);
  expect(stored(work.folder)).toHaveLength(1);
  expect(lines.join("\n")).not.toContain("failed");
});

test("a folder that fails in the middle of a file holds up no writes", async () => {
  const cancel = vi.fn();
  const work = job({ snapshot: async () => new ReadableStream({ cancel }) });
  work.folder.write = async (_name, content) => {
    if (content !== "") throw new Error("broken"); // it is opened before the snapshot
  };
  await expect(new Nightly().takeNow(work, at("21T02:31"))).rejects.toThrow("broken");
  expect(cancel).toHaveBeenCalled();
});

test("a backup in the store that a clock which was ahead has dated keeps no later one out of it", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const work = job();
  const ahead = backupName(new Date("2036-01-01T02:30:00Z"), false);
  for (const { files } of [work.folder, work.s3]) {
    for (const name of [ahead, noteOf(ahead)]) files.set(name, new Uint8Array([1]));
  }
  await new Nightly().tick(work, at("21T02:31"));
  expect(stored(work.folder)).toContain(backupName(at("21T02:31"), false));
  expect(stored(work.s3)).toContain(backupName(at("21T02:31"), false));
});

// Catches a restore of the backup that a clock which was ahead has dated: for years it would be the newest by its name.
test("latest is not guessed while the newest backup is dated later than the clock: the answer names what to choose from", async () => {
  const { folder, s3 } = job();
  const [good, ahead] = [backupName(at("20T02:30"), false), backupName(new Date("2036-01-01T02:30:00Z"), false)];
  const put = (name: string) => folder.files.set(name, new Uint8Array([1])).set(noteOf(name), new Uint8Array([1]));
  put(ahead);
  await expect(openBackup({ folder, s3 }, "latest", at("21T02:31"))).rejects.toThrow(
    `${ahead} is dated later than this machine's clock, 2026-11-21T02:31Z: set the clock, or restore a backup by its name`,
  );
  put(good);
  await expect(openBackup({ folder, s3 }, "latest", at("21T02:31"))).rejects.toThrow(`its name; before it is ${good}`);
  for (const name of [good, ahead])
    expect(await openBackup({ folder, s3 }, name, at("21T02:31"))).toMatchObject({ backup: name });
  // A clock that is less than a day behind is no reason to ask.
  const later = new Date("2035-12-31T03:00:00Z");
  expect(await openBackup({ folder, s3 }, "latest", later)).toMatchObject({ backup: ahead });
});
