/** A toast: one at a time, for 5 seconds (spec section 9). `error` is announced at once, `success` when there is time. */
export interface Toast {
  kind: "success" | "error";
  title: string;
  text?: string;
  /** Where to send what takes it back. */
  undo?: string;
}

/** What an answer leaves for the page that it redirects to. */
export interface Flash {
  toast?: Toast;
  /** The path of a form that was saved: the browser may forget what it kept of it. */
  saved?: string;
  /** Why a request for a verification sent no email; the dialog says it beside the link. */
  heldBack?: string;
  /** The id of who has just signed out in this browser: it may forget what it kept of them. */
  signedOut?: number;
  /** Things worth a second look that refused nothing; they stay on the page. */
  warnings?: string[];
}
