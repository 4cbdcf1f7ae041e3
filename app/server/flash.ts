/** A toast: one at a time, for 5 seconds (spec section 9). `error` is announced at once, `success` when there is time. */
export interface Toast {
  kind: "success" | "error";
  title: string;
  text?: string;
  /** The address of the form that undoes it. */
  undo?: string;
}

/** A warning about a saved record, and the page to look at it. */
export interface Warning {
  text: string;
  href: string;
  /** The text of the link. */
  link: string;
}

/** Messages from a response to the page that it redirects to. */
export interface Flash {
  toast?: Toast;
  /** The key of a saved form, whose draft the browser may delete. */
  saved?: string;
  /** A form was sent without a session. `hours`: its browser may have kept what was typed. */
  notSaved?: "form" | "hours";
  /** Why a verification request sent no email; the dialog shows it beside the link. */
  heldBack?: string;
  /** The supervisor of the shift card that hours were saved with: the dialog begins with them. */
  supervisor?: Record<string, string>;
  /** Where a supervisor who has just verified disowns it. */
  takeBack?: string;
  /** A user has just signed out: the page has the script that deletes what they typed. */
  signedOut?: boolean;
  /** Warnings about saved records; they stay on the page. */
  warnings?: Warning[];
}

/** The most warnings of a flash message: a cookie has no room for more. */
const WARNINGS_MAX = 12;

/**
 * Returns the warnings of a save behind those that no page has shown yet. If two have the same link, such as the sums
 * of one day, the later one is true.
 */
export function withEarlier(flash: Flash | null, warnings: Warning[]): Warning[] {
  const all = [...(flash?.warnings ?? []), ...warnings];
  const isLast = ({ href, link }: Warning, index: number) =>
    !all.some((later, place) => place > index && later.href === href && later.link === link);
  return all.filter(isLast).slice(-WARNINGS_MAX);
}
