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
