import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { z } from "zod";
import { AppError } from "#app/errors.ts";
import { logError } from "./logger.server.ts";
import { getRequestId } from "./request-id.server.ts";

export { parseId } from "./id.ts";

export type ApiArgs = LoaderFunctionArgs;
type Call = (args: ApiArgs) => Promise<Response>;

/**
 * The loader and the action of an /api route: which methods it has, and that whatever goes wrong in one is answered
 * in JSON. The request checks read `methods` and has answered 405 before a call comes here.
 */
export function api(calls: Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Call>>) {
  const answer = async (args: ApiArgs): Promise<Response> => {
    const method = args.request.method === "HEAD" ? "GET" : args.request.method;
    const call = calls[method as keyof typeof calls]; // an unknown method finds nothing
    try {
      if (!call) throw new AppError(405, "This address does not take that method.");
      return await call(args);
    } catch (error) {
      return errorJson(error, args.request);
    }
  };
  return Object.assign(answer, {
    methods: Object.keys(calls).flatMap((name) => (name === "GET" ? [name, "HEAD"] : [name])),
  });
}

const NOT_READ = "Something went wrong on our side. Please try again.";

/** An answer of the database can be lost when it has done what it was asked. */
const NOT_KNOWN =
  "Something went wrong on our side, and we can't tell whether it was done. Please look before you try again.";

/** A refusal as JSON; any other error is logged and answered 500 without a word of it but the line's id in the log. */
export function errorJson(error: unknown, request: Request): Response {
  if (error instanceof AppError) {
    const { status, message, errors } = error;
    return Response.json(errors ? { message, errors } : { message }, { status });
  }
  logError(error, request);
  const words = ["GET", "HEAD"].includes(request.method) ? NOT_READ : NOT_KNOWN;
  return Response.json({ message: `${words} Reference: ${getRequestId(request)}` }, { status: 500 });
}

/**
 * Reads a JSON body through a schema.
 * @throws {AppError} 400 with what is wrong with each field; `message` is the first of them
 */
export async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new AppError(400, "The body is not valid JSON.");
  }
  return parse(schema, body);
}

/** The most errors that are answered: 500 empty entries, which are 1.5 kB, have 2,000. */
const ERRORS_MAX = 100;

/**
 * What a schema makes of something that was sent.
 * @throws {AppError} 400 with what is wrong with each field, the first hundred; `message` is the first of them
 */
export function parse<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const errors = result.error.issues
    .slice(0, ERRORS_MAX)
    .map(({ path, message }) => ({ path: path.join("."), message }));
  throw new AppError(400, errors[0]?.message ?? "The body is not as expected.", errors);
}

/** The longest Idempotency-Key, in characters. */
const KEY_MAX = 200;

/**
 * The request's Idempotency-Key, which names one sending of its body; null without one.
 * @throws {AppError} 400 for one that is too long
 */
export function idempotencyKey({ headers }: Pick<Request, "headers">): string | null {
  const key = headers.get("Idempotency-Key");
  if (key && key.length > KEY_MAX) throw new AppError(400, `An Idempotency-Key has at most ${KEY_MAX} characters.`);
  return key;
}

/** What a thing would be with the fields that were sent, some or all of its own; what is no object stays as it is. */
export function applyPartialUpdate(whole: object, sent: unknown): unknown {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent) ? { ...whole, ...sent } : sent;
}
