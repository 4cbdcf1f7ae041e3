import { expect } from "vitest";
import type { App } from "./app.ts";
import { type Answer, type Client, freshAddress } from "./client.ts";

/** A signed-out client that keeps one address. */
export function visitor(app: App, address = freshAddress()): Client {
  const client = app.as(new Map());
  client.address = address;
  return client;
}

export function logIn(from: Client, email: string, password = "not the password"): Promise<Answer> {
  return from.json("POST", "/api/auth/login", { email, password });
}

/** Lets time pass for all attempts counted so far. */
export async function pass(app: App, ms: number): Promise<void> {
  await app.db.prepare("UPDATE attempts SET at = at - ?").bind(ms).run();
}

/** Expects a refusal by a rate limit and returns its `Retry-After`, in seconds. */
export function refused(answer: Answer): number {
  expect([answer.status, answer.json()]).toEqual([
    429,
    { code: "rate_limited", message: expect.stringMatching(/try again in (a|\d+) minute/) },
  ]);
  return Number(answer.headers.get("Retry-After"));
}

export async function times<T>(n: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < n; i++) results.push(await work());
  return results;
}

export const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** A list of `n` times the same status. */
export const all = (n: number, status: number): number[] => Array<number>(n).fill(status);
