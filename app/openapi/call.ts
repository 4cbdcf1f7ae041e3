import type { z } from "zod";

/** The description of a call. Parameters of its address are in the path, `{id}`. */
export interface DescribedCall {
  summary: string;
  /** For everyone; for the user of a session or token; or for an admin. */
  access: "public" | "private" | "admin";
  /** Whether only a session is accepted, and no token. */
  sessionOnly?: boolean;
  /** The schema that the call itself parses its body with, or pieces of it. */
  body?: z.ZodType;
  query?: z.ZodObject;
  /** Whether an Idempotency-Key is accepted. */
  hasKey?: boolean;
  /** 200 by default. */
  status?: number;
  answer: z.ZodType;
  /** The answer is a file. */
  isCsv?: boolean;
}

/** Descriptions by method and path: `GET /api/entries`. */
export type DescribedCalls = Record<`${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`, DescribedCall>;

/** What many descriptions have in common: the access, and all of a call that makes something. */
export const PUBLIC = { access: "public" } as const;
export const OWN = { access: "private" } as const;
export const ADMIN = { access: "admin" } as const;
export const MAKES = { ...OWN, hasKey: true, status: 201 } as const;
