/**
 * Sends so many requests that race, in the order of pauses that the seed decides: each of them stops before and after
 * every call of D1, and one at a time goes on (tests/worker/gate.js).
 */
export function race<Result>(
  size: number,
  seed: number,
  send: (number: number, headers: Record<string, string>) => Promise<Result>,
): Promise<Result[]> {
  const name = crypto.randomUUID();
  const racers = Array.from({ length: size }, (_, number) => number);
  return Promise.all(racers.map((number) => send(number, { "x-race": `${name} ${size} ${number} ${seed}` })));
}

/** Under how many seeds each race is run: 5 in `npm test`, 100 in `npm run safe`. */
export const SEEDS = Array.from({ length: Number(process.env.SAFE_SEEDS) || 5 }, (_, index) => index + 1);
