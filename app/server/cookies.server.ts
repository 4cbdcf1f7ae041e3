import { type Cookie, createCookie } from "@remix-run/cloudflare";

export interface Cookies {
  /** An opaque token; D1 stores its hash and its user. */
  session: Cookie;
  /** A message for the next page, signed, so that no one can forge it. */
  flash: Cookie;
  /** The D1 bookmark of the user's last write, signed, so that D1 gets only its own bookmarks. */
  bookmark: Cookie;
  /**
   * Says that a user has signed out here, until a script has deleted what that user typed. A script can read and delete
   * it; its name has the user's id, so that one sign-out does not replace another.
   */
  signedOut(userId: number): Cookie;
  /** Says that a user without a name did not want to give one when asked here. */
  nameSkipped(userId: number): Cookie;
}

/** Longer than the lag of any replica. */
const BOOKMARK_SECONDS = 24 * 60 * 60;

/** As long as browsers keep a cookie (RFC 6265bis): the next page with a script may be months away. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;

/**
 * The app's cookies. Over https they carry the `__Host-` prefix, which ties them to this host, this path and
 * https. Over http (a laptop, a test) only browsers accept `Secure` cookies for localhost, so neither is used.
 */
export function cookiesFor(origin: string, secret: string): Cookies {
  const secure = origin.startsWith("https:");
  const prefix = secure ? "__Host-" : "";
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  return {
    session: opaque(createCookie(`${prefix}session`, options)),
    flash: createCookie(`${prefix}flash`, { ...options, secrets: [secret], maxAge: 60 }),
    bookmark: opaque(createCookie(`${prefix}bookmark`, { ...options, secrets: [secret], maxAge: BOOKMARK_SECONDS })),
    signedOut: (userId) =>
      createCookie(`${prefix}signed-out-${userId}`, { ...options, httpOnly: false, maxAge: LONGEST_SECONDS }),
    nameSkipped: (userId) =>
      opaque(createCookie(`${prefix}name-skipped-${userId}`, { ...options, maxAge: LONGEST_SECONDS })),
  };
}

/** Remix encodes a cookie's value as JSON in base64. An invalid value is read as null instead of throwing. */
function opaque(cookie: Cookie): Cookie {
  return {
    ...cookie,
    parse: async (header) => {
      const value = await cookie.parse(header).catch(() => null);
      return typeof value === "string" && value !== "" ? value : null;
    },
  };
}
