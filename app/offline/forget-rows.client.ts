import type { Row, Visit } from "./row.ts";
import { inStore } from "./store.client.ts";

/**
 * Deletes what users who have signed out in this browser typed or saved in it, and no other user's. A logout that succeeded
 * names its user in a cookie (`Cookies.signedOut`), which a log-in of that user ends. Over https it has the prefix that another
 * host of the same domain cannot set.
 */
export async function forgetRows(): Promise<void> {
  const secure = location.protocol === "https:" ? ";Secure" : "";
  const start = `${secure && "__Host-"}signed-out-`;
  const users = document.cookie
    .split("; ")
    .flatMap((cookie) => (cookie.startsWith(start) ? cookie.slice(start.length).split("=", 1) : []))
    .filter(Boolean);
  if (users.length === 0) return;
  await inStore((rows) => {
    const request: IDBRequest<(Row | Visit)[]> = rows.getAll();
    request.onsuccess = () => {
      for (const row of request.result) if (users.includes(row.userId)) rows.delete(row.key);
    };
    return request;
  }).catch(() => {}); // without storage there is nothing to delete
  // The rows that this tab sent last (entry-form.island.tsx), but not the card of a shift, which belongs to no user.
  const { shift } = sessionStorage;
  sessionStorage.clear();
  if (shift) sessionStorage.shift = shift;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  for (const user of users) document.cookie = `${start}${user}=;Max-Age=0;Path=/${secure}`;
}
