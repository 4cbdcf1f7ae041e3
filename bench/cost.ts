import { inDigits, type Row, reported } from "./table.ts";

/** The cost of one technician in a year. */
export interface TechnicianYear {
  /** Entries in their log before the year. */
  before: number;
  requests: number;
  queries: number;
  read: number;
  written: number;
  /** The time that D1 has worked, in milliseconds. */
  milliseconds: number;
  /** Storage, in bytes. */
  bytes: number;
}

/**
 * Cloudflare's list prices in US dollars, Workers Paid plan, as its pages for Workers and D1 said in 2026: what a month
 * includes, and each million (rows, requests, milliseconds of CPU) or GB more.
 */
const PRICES = {
  plan: 5,
  requests: { included: 10e6, million: 0.3 },
  cpu: { included: 30e6, million: 0.02 },
  read: { included: 25e9, million: 0.001 },
  written: { included: 50e6, million: 1 },
  storage: { included: 5, gigabyte: 0.75 },
};

/** The largest D1 database, in GB. */
const GIGABYTES_MAX = 10;

/** Assumed: the CPU of a request, in milliseconds, and of a sign-in, which hashes a password; sign-ins in a year. */
const CPU = { request: 5, signIn: 200, signIns: 12 };

/** Assumed: half of the requests of one of 220 working days arrive within two hours. */
const peakOf = (aYear: number) => aYear / 220 / 2 / 7_200;

const YEARS = 5;

/**
 * Returns the rows that a number of technicians read and write, the bytes that they store, and the cost; the fourth
 * year's rows are those of every year.
 */
export function sizesOf(first: TechnicianYear, late: TechnicianYear): Row[] {
  const bytes = (first.bytes + late.bytes) / 2;
  return [1_000, 100_000, 1_000_000].flatMap((technicians) => {
    const [read, written] = [(late.read * technicians) / 12, (late.written * technicians) / 12];
    const requests = (late.requests * technicians) / 12;
    const cpu = requests * CPU.request + (technicians * CPU.signIns * CPU.signIn) / 12;
    const stored = (bytes * technicians * YEARS) / 1e9;
    const over = (amount: number, { included, million }: { included: number; million: number }) =>
      (Math.max(0, amount - included) / 1e6) * million;
    const costs = {
      rows: over(read, PRICES.read) + over(written, PRICES.written),
      worker: over(requests, PRICES.requests) + over(cpu, PRICES.cpu),
      storage: Math.max(0, stored - PRICES.storage.included) * PRICES.storage.gigabyte,
    };
    const total = PRICES.plan + costs.rows + costs.worker + costs.storage;
    const who = `${inDigits(technicians)} technicians`;
    const busy = peakOf(late.milliseconds * technicians) / 1000;
    const full = GIGABYTES_MAX / ((bytes * technicians) / 1e9);
    return [
      reported(
        `${who}: rows read / written a month, millions`,
        `${(read / 1e6).toFixed(1)} / ${(written / 1e6).toFixed(1)}`,
      ),
      reported(
        `${who}: storage after ${YEARS} years`,
        stored,
        " GB",
        `10 GB after ${full.toFixed(full < 1 ? 2 : 1)} years`,
      ),
      reported(
        `${who}: a month in year ${YEARS}`,
        `$${total.toFixed(2)}`,
        "",
        `plan ${PRICES.plan}, rows ${costs.rows.toFixed(2)}, Worker ${costs.worker.toFixed(2)}, storage ${costs.storage.toFixed(2)}`,
      ),
      reported(
        `${who}: at the peak`,
        `${peakOf(late.requests * technicians).toFixed(1)} requests/s`,
        "",
        `${peakOf(late.queries * technicians).toFixed(0)} statements/s, D1 busy ${(100 * busy).toFixed(1)} % of the time by this machine's clock`,
      ),
    ];
  });
}
