/** Parses an id from a URL: a positive integer, or 0 for any other text. No row has the id 0. */
export function parseId(text: string | null | undefined): number {
  const id = /^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
