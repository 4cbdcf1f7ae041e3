import { messageOf } from "#app/errors.ts";
import type { Digest, Stream } from "./packing.ts";

/** A place for backups: the folder, or an S3-compatible store. Each method throws an `Error` with a message for the operator. */
export interface Store {
  /** As the log names it. */
  readonly place: "folder" | "s3";
  /** The names of all files. */
  list(): Promise<string[]>;
  /** Null if there is no such file. */
  read(name: string): Promise<Stream | null>;
  /** Writes a file or overwrites it. A stream that fails may leave a part of it. */
  write(name: string, content: Stream | string, digest?: Digest): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The folder of the data folder; it can be a symbolic link to another disk. */
const FOLDER = "http://data/backups";

/** The folder of backups, through the runtime's service of the data folder. The first file that is written creates it. */
export class Folder implements Store {
  readonly place = "folder";
  readonly #files: Fetcher;

  constructor(files: Fetcher) {
    this.#files = files;
  }

  async list(): Promise<string[]> {
    const answer = await this.#ask("GET", "/");
    if (answer.status === 404) return [];
    requireOk(answer, "be listed");
    if (answer.headers.get("Content-Type") !== "application/json") {
      await answer.body?.cancel();
      throw new Error("the folder backups cannot be listed: it is a file");
    }
    const entries = await answer.json<{ name: string; type: string }[]>();
    return entries.filter(({ type }) => type === "file").map(({ name }) => name);
  }

  async read(name: string): Promise<Stream | null> {
    const answer = await this.#ask("GET", `/${name}`);
    if (answer.status === 404) return null;
    requireOk(answer, "be read");
    return answer.body ?? new Blob([]).stream();
  }

  async write(name: string, content: Stream | string): Promise<void> {
    requireOk(await this.#ask("PUT", `/${name}`, content), "be written");
  }

  async remove(name: string): Promise<void> {
    const answer = await this.#ask("DELETE", `/${name}`);
    if (answer.status !== 404) requireOk(answer, "be cleaned up");
  }

  /** The runtime throws for errors of the system, such as a full disk. */
  async #ask(method: string, path: string, body: Stream | string | null = null): Promise<Response> {
    try {
      return await this.#files.fetch(FOLDER + path, { method, body });
    } catch (error) {
      throw new Error(`the folder backups cannot be used: ${messageOf(error)}`);
    }
  }
}

function requireOk({ ok, status }: Response, what: string): void {
  if (!ok) throw new Error(`the folder backups cannot ${what}: the system answers ${status}`);
}
