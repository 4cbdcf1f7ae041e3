/**
 * Whose address this is, as far as limits can tell: an IPv4 address itself, of an IPv6 address the first 64 bits,
 * since one household or one phone has all the others to choose from. The empty string where it is not known.
 */
export function networkOf(address: string | null): string {
  if (!address?.includes(":")) return address ?? "";
  const embedded = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1];
  if (embedded) return embedded;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups(head).length - groups(tail).length);
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail ?? "")];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
