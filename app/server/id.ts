/** An id from an address: a positive integer, or for any other text 0, the id that nothing has. */
export function parseId(text: string | null | undefined): number {
  const id = /^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
