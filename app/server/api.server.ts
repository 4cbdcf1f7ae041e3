import type { z } from "zod";
import { isFull } from "#app/db/client.server.ts";
import { AppError, NO_ROOM, refusalJson } from "#app/errors.ts";
import { getRequestId, logError } from "./logger.server.ts";

const READ_FAILED = "Something went wrong on our side. Please try again.";

/** After a lost response of the database the write may have succeeded. */
const WRITE_FAILED =
  "Something went wrong on our side, and we don't know if your change was saved. Please check before you try again.";

/**
 * An `AppError` as JSON. Any other error is logged, and the 500 contains only the request's id in the log; a full database is 503.
 */
export function errorJson(error: unknown, request: Request): Response {
  if (error instanceof AppError) {
    const { message, code, errors } = error;
    return refusalJson(errors ? { message, code, errors } : { message, code });
  }
  logError(error, request);
  if (isFull(error)) return refusalJson({ message: NO_ROOM, code: "unavailable" }, { "Retry-After": "60" });
  const words = ["GET", "HEAD"].includes(request.method) ? READ_FAILED : WRITE_FAILED;
  return refusalJson({ message: `${words} Reference: ${getRequestId(request)}`, code: "server_error" });
}

/**
 * Parses a JSON body by a schema. No body and no type are an empty object: a call all of whose fields
 * are optional needs none.
 * @throws {AppError} 400 as `parse`
 */
export async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  let body: unknown;
  try {
    const text = await request.text();
    body = text === "" && !request.headers.has("Content-Type") ? {} : JSON.parse(text);
  } catch {
    throw new AppError("invalid_json", "The body is not valid JSON.");
  }
  return parse(schema, body);
}

/** The most errors in a response: 500 empty entries, a body of 1.5 kB, have 2,000 errors. */
const ERRORS_MAX = 100;

/**
 * Parses a request's data by a schema.
 * @throws {AppError} 400 with an error for each invalid field, at most a hundred; `message` is the first of them
 */
export function parse<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const errors = result.error.issues
    .slice(0, ERRORS_MAX)
    .map(({ path, message }) => ({ path: path.join("."), message }));
  throw new AppError("invalid", errors[0]?.message ?? "The body is invalid.", errors);
}

/** The longest Idempotency-Key, in characters. */
const KEY_MAX = 200;

/**
 * The request's Idempotency-Key, which names one sending of its body; null without one.
 * @throws {AppError} 400 for one that is too long
 */
export function idempotencyKey({ headers }: Pick<Request, "headers">): string | null {
  const key = headers.get("Idempotency-Key");
  if (key && key.length > KEY_MAX)
    throw new AppError("invalid", `An Idempotency-Key has at most ${KEY_MAX} characters.`);
  return key;
}

/** Applies a partial update: the stored object with the sent fields. Data that is no object is returned as it is. */
export function applyPartialUpdate(stored: object, sent: unknown): unknown {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent) ? { ...stored, ...sent } : sent;
}
