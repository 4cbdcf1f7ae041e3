import binary from "#scripts/binary.ts";

/** Builds the executable before its first test, unless it is current. */
export default async function setup(): Promise<void> {
  await binary();
}
