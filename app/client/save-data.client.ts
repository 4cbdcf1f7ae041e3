/** Whether the browser is set to save data. If so, nothing is fetched in advance. */
export function savesData(): boolean {
  // Not every browser has it, so TypeScript does not declare it.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
