import type { Row, Visit } from "./row.ts";
import { inStore } from "./store.client.ts";

/**
 * Deletes what users who have signed out in this browser typed or saved in it, and nobody else's. A logout that succeeded
 * names its user in a cookie (`Cookies.signedOut`), which a log-in of that user ends.
 */
export async function forgetRows(): Promise<void> {
  const marks = [...document.cookie.matchAll(/[\w-]*signed-out-(\d+)(?==)/g)];
  if (marks.length === 0) return;
  const users = marks.map(([, userId]) => userId);
  await inStore((rows) => {
    const request: IDBRequest<(Row | Visit)[]> = rows.getAll();
    request.onsuccess = () => {
      for (const row of request.result) if (users.includes(row.userId)) rows.delete(row.key);
    };
    return request;
  }).catch(() => {}); // without storage there is nothing to delete
  for (const name of Object.keys(localStorage)) {
    if (users.includes(/^draft:(?:rope-)?(\d+)/.exec(name)?.[1])) localStorage.removeItem(name);
  }
  sessionStorage.clear(); // the rows that this tab sent last (entry-form.island.tsx)
  const secure = location.protocol === "https:" ? ";Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  for (const [name] of marks) document.cookie = `${name}=;Max-Age=0;Path=/${secure}`;
}
