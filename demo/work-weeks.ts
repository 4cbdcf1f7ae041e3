import { METHODS, type Method } from "#app/db/enumerations.ts";
import { pick, randomFrom } from "./random.ts";

export const SITES =
  "Mongstad refinery; Kårstø gas plant; Grangemouth refinery; Valhall QP; Hangar 4, Stavanger; Prestwick".split("; ");
const PLACES =
  "crude unit; piping rack; heat exchanger; tank; splash zone; landing gear bay; wing spar; flare line".split("; ");
export const VERIFIERS = ["Ingrid Solheim", "Marcus Reed", "Piet van der Berg"];

/** A day of work, without a technician. */
interface WorkDay {
  /** How many days it is before the last day. */
  daysBefore: number;
  location: string;
  method: Method;
  hours: number;
  verifier: string;
  /** False for every sixth. */
  isVerified: boolean;
}

/**
 * Five days of work a week for measurements: blocks of a few days at one place, mostly with one method, verified by one
 * supervisor. The latest day is the first. The list is the same for each seed.
 */
export function workWeeks(seed: number, count: number): WorkDay[] {
  const next = randomFrom(seed);
  const list: WorkDay[] = [];
  let daysLeft = 0;
  let location = "";
  let verifier = "";
  let main: Method = METHODS[0];
  for (let index = 0; index < count; index += 1) {
    if (daysLeft === 0) {
      daysLeft = 2 + Math.floor(next() * 9);
      location = `${pick(next, SITES)}, ${pick(next, PLACES)} ${1 + Math.floor(next() * 90)}`;
      verifier = pick(next, VERIFIERS);
      main = pick(next, METHODS);
    }
    daysLeft -= 1;
    const method = next() < 0.7 ? main : pick(next, METHODS);
    const hours = 2 + Math.floor(next() * 41) / 4;
    const daysBefore = Math.floor((index / 5) * 7) + (index % 5);
    list.push({ daysBefore, location, method, hours, verifier, isVerified: index % 6 !== 5 });
  }
  return list;
}
