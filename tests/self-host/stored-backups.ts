import { onTestFinished } from "vitest";
import type { Running } from "#self-host/build/running.ts";
import { ACCESS_KEY, BUCKET, REGION, type S3Server, SECRET_KEY, startS3 } from "./s3-server.ts";
import { SETTINGS, TOKEN, visit } from "./start.ts";

export const KEY = "ZmFrZSBrZXkgZm9yIHRlc3RzLCBvZiAzMiBieXRlcw==";

const HOLDER = { Authorization: `Bearer ${TOKEN}` };

/** A store for one test. */
export async function s3ForTest(): Promise<S3Server> {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  return s3;
}

/** Settings of an executable that stores its backups there, and takes none by itself. */
export function settingsFor({ url }: Pick<S3Server, "url">): Record<string, string> {
  return {
    ...SETTINGS,
    BACKUP_AT: "off",
    S3_ENDPOINT: url,
    S3_BUCKET: BUCKET,
    S3_REGION: REGION,
    S3_PREFIX: "hours",
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: SECRET_KEY,
  };
}

export interface Answer {
  status: number;
  message: string;
  backup: string;
  rows: Record<string, number>;
  stored?: string[];
}

/** POST /backup, which stores a backup now. */
export function backUp({ url }: Running): Promise<Answer> {
  return answered(`${url}/backup`);
}

/** POST /restore, of a stored backup, by its name or `latest`. */
export function restoreFrom({ url }: Running, from: string): Promise<Answer> {
  return answered(`${url}/restore?from=${from}`);
}

/** POST /restore, of these bytes. */
export function restoreBytes({ url }: Running, body: string | Buffer<ArrayBuffer>): Promise<Answer> {
  return answered(`${url}/restore`, body);
}

async function answered(url: string, body?: string | Buffer<ArrayBuffer>): Promise<Answer> {
  const answer = await visit(url, { method: "POST", headers: HOLDER, ...(body !== undefined && { body }) });
  return { status: answer.status, ...((await answer.json()) as Omit<Answer, "status">) };
}
