import { type Cookie, createCookie } from "@remix-run/cloudflare";

export interface Cookies {
  /** An opaque id; D1 knows its hash and whose it is. */
  session: Cookie;
  /** A message for the next page, signed, so that no one can put words into our mouth. */
  flash: Cookie;
  /** The D1 bookmark of this person's last write, signed: D1 is only asked for what it gave. */
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
    bookmark: opaque(createCookie(`${prefix}bookmark`, { ...options, secrets: [secret], maxAge: BOOKMARK_SECONDS })),
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
