import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { TurnQueue } from "#app/server/turn-queue.ts";

/**
 * The pause before each hash: a number of turns of the event loop, and the milliseconds of each. One long pause may end
 * on a busy machine before the runtime has read from any connection.
 */
const YIELD = { turns: 5, ms: 2 };

const queue = new TurnQueue({
  atOnce: 1,
  atOnceForOne: 1,
  places: 60, // at 0.2 s a hash the last of them waits about 15 s
  placesForOne: 2, // right passwords count for no other limit
  waitMs: Number.POSITIVE_INFINITY,
  abandonedMs: 3_000, // longer than a hash blocks the thread
  refusal: "Too many people are logging in at the moment. Please try again in a minute.",
});

/** The account or address that a hash is for, and its request. */
interface Asker {
  /**
   * The id of the account that the request belongs to, or the email address that a user signs in with, so that refusals do not
   * show whether it has an account.
   */
  whose: string;
  /** The request's: it leaves the queue when its client disconnects. */
  signal?: AbortSignal;
}

/**
 * Runs a hash when it is next (`TurnQueue`), with a pause for other requests. workerd has one thread: sixty hashes in a row
 * would stop every other request for 12 s.
 * @throws {AppError} 429 if the queue is full, or the part of it that one account may hold
 */
export async function queueHash<T>({ whose, signal }: Asker, hash: () => Promise<T>): Promise<T> {
  const { end: leave } = await queue.enter(whose, signal);
  try {
    for (let turn = 0; turn < YIELD.turns; turn += 1) await new Promise((resolve) => setTimeout(resolve, YIELD.ms));
    return await hash();
  } finally {
    leave();
  }
}

/** scrypt's parameters: about 200 ms of one core and 32 MiB. From OWASP's Password Storage Cheat Sheet. */
const COST = { ln: 15, r: 8, p: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * The longest text that can be a password, in UTF-16 units: 128 characters in any spelling. Normalizing takes time quadratic in
 * the length, a minute for a body of 1 MiB.
 */
const LONGEST = 1_000;

/** A hash to verify against if there is no such user, so that the answer takes as long. */
const DUMMY_HASH = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Hashes a password with a new salt, in PHC string format: `$scrypt$ln=15,r=8,p=3$salt$hash`.
 * @throws as `queueHash`
 */
export async function hashPassword(asker: Asker, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(asker, password, salt, COST);
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(salt)}$${base64(key)}`;
}

/**
 * Whether a password matches a hash. If `hash` is null, because there is no such user, or the text is too long for a password,
 * the result is false, after the same work.
 * @throws as `queueHash`
 */
export async function verifyPassword(asker: Asker, password: string, hash: string | null): Promise<boolean> {
  const parts = (hash ?? DUMMY_HASH).match(/^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/);
  if (!parts) throw new Error("a stored password is not in PHC format");
  const [, ln, r, p, salt = "", expected = ""] = parts;
  const isPossible = hash !== null && password.length <= LONGEST;
  const text = isPossible ? password : "";
  const key = await derive(asker, text, Buffer.from(salt, "base64"), { ln: Number(ln), r: Number(r), p: Number(p) });
  const stored = Buffer.from(expected, "base64");
  return stored.length === key.length && timingSafeEqual(stored, key) && isPossible;
}

function derive(asker: Asker, password: string, salt: Buffer, { ln, r, p }: typeof COST): Promise<Buffer> {
  // NFKC: the same password typed on another keyboard may come as other code points (NIST SP 800-63B, 5.1.1.2).
  const text = password.normalize("NFKC");
  const costs = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 };
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, KEY_BYTES, costs, (error, key) => (error ? reject(error) : resolve(key)));
    });
  return queueHash(asker, hash);
}

/** PHC strings carry base64 without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
