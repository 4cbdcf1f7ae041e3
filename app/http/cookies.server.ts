import { type Cookie, createCookie } from "@remix-run/cloudflare";
import { seal, unseal } from "./sealed.server.ts";

export interface Cookies {
  /** An opaque id; D1 knows its hash and whose it is. */
  session: Cookie;
  /** A message for the next page, signed, so that no one can put words into our mouth. */
  flash: Cookie;
  /**
   * How far the database had come with this person's last write. Sealed: D1 is only asked for what it gave, and nobody
   * learns from two of them what others have written in between.
   */
  bookmark: Cookie;
}

/** Longer than any replica is behind. */
const BOOKMARK_SECONDS = 24 * 60 * 60;

/**
 * The app's cookies. Over https they carry the `__Host-` prefix, which ties them to this host, this path and
 * https. Over http (a laptop, a test) that prefix and `Secure` would keep every client but a browser from signing in.
 */
export function cookiesFor(origin: string, secret: string): Cookies {
  const secure = origin.startsWith("https:");
  const prefix = secure ? "__Host-" : "";
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  return {
    session: opaque(createCookie(`${prefix}session`, options)),
    flash: createCookie(`${prefix}flash`, { ...options, secrets: [secret], maxAge: 60 }),
    bookmark: sealed(createCookie(`${prefix}bookmark`, { ...options, maxAge: BOOKMARK_SECONDS }), secret),
  };
}

function sealed(cookie: Cookie, secret: string): Cookie {
  const { parse, serialize } = opaque(cookie);
  return {
    ...cookie,
    parse: async (header) => {
      const value = await parse(header);
      return value && unseal(secret, cookie.name, value);
    },
    serialize: (value, options) => serialize(seal(secret, cookie.name, value), options),
  };
}

/** Remix encodes a cookie's value as JSON in base64; a value that somebody made up must read as null, not throw. */
function opaque(cookie: Cookie): Cookie {
  return {
    ...cookie,
    parse: async (header) => {
      const value = await cookie.parse(header).catch(() => null);
      return typeof value === "string" && value !== "" ? value : null;
    },
  };
}
