/** Whether the person has asked their browser to save data: then nothing is fetched that nobody has asked for. */
export function savesData(): boolean {
  // Not in every browser, and so not in TypeScript's list of what they have.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
