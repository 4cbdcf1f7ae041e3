import binary from "#scripts/binary.ts";

/** Before the first test of the single file: makes it, if what it is made of has changed. */
export default async function setup(): Promise<void> {
  await binary();
}
