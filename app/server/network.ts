import ipaddr from "ipaddr.js";

/** The longest address, with brackets, zone and port, in characters. */
const LONGEST = 100;

/**
 * Parses an IP address as a proxy or a runtime writes it: with or without brackets, a port or an IPv6 zone. Returns its
 * canonical form (IPv6 by RFC 5952, an IPv4-mapped address as IPv4), or null if the text is no address.
 */
export function parseAddress(text: string | null | undefined): string | null {
  const address = text && parsed(text.trim());
  return address ? address.toString() : null;
}

/**
 * The network that limits count for: an IPv4 address, or the first 64 bits of an IPv6 address, because one household or
 * phone has the whole /64. The empty string if the address is unknown.
 */
export function networkFromAddress(address: string | null): string {
  const known = address && parsed(address);
  if (!known) return "";
  if (known instanceof ipaddr.IPv4) return known.toString();
  const groups = known.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(":")}::/64`;
}

function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text.length > LONGEST) return null;
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  if (!bracketed) {
    const v4 = text.replace(/(?<=^[\d.]+):\d{1,5}$/, "");
    // The library also reads 127.1, 0x7f.1 and 2130706433, which no proxy writes.
    if (ipaddr.IPv4.isValidFourPartDecimal(v4)) return ipaddr.IPv4.parse(v4);
  }
  const v6 = (bracketed ?? text).replace(/%[^%]+$/, ""); // a zone names an interface of the machine that saw it
  if (!ipaddr.IPv6.isValid(v6)) return null;
  const address = ipaddr.IPv6.parse(v6);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
