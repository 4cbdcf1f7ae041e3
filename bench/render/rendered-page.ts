import type { ReactElement } from "react";
import { renderToString as render } from "react-dom/server";

let last: ReactElement | null = null;

/** React's own function, for `app/entry.server.tsx`; it stores the page that it renders. */
export function renderToString(page: ReactElement): string {
  last = page;
  return render(page);
}

/** Renders the page of the last request again: only its elements with their data. */
export function renderAgain(): string {
  if (!last) throw new Error("No page was rendered yet");
  return render(last);
}
