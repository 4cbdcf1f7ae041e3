/**
 * Sends that many concurrent requests in the interleaving that the seed decides: each stops before and after every D1
 * call, and one at a time continues (tests/worker/gate.js).
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

/** The seeds of the two races that must have one winner of fifty: 5 in `npm test`, 100 in `npm run safe`. */
export const SEEDS = Array.from({ length: Number(process.env.SAFE_SEEDS) || 5 }, (_, index) => index + 1);

/** Those of every other race: 100 in `npm run safe`. `npm test` runs only those outside tests/safe, with 2. */
export const FEW_SEEDS = process.env.SAFE_SEEDS ? SEEDS : SEEDS.slice(0, 2);
