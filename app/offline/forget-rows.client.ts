import type { Row, Visit } from "./row.ts";
import { inStore } from "./store.client.ts";

/**
 * On the page after a logout, deletes what that user typed or saved in this browser, and nobody else's. The server sends
 * the user's id (`Flash.signedOut`), so nothing is deleted unless the logout succeeded.
 */
export async function forgetRows(): Promise<void> {
  const userId = document.body.dataset.signedOut;
  await inStore((rows) => {
    const request: IDBRequest<(Row | Visit)[]> = rows.getAll();
    request.onsuccess = () => {
      for (const row of request.result) if (row.userId === userId) rows.delete(row.key);
    };
    return request;
  }).catch(() => {}); // without storage there is nothing to delete
  for (const name of Object.keys(localStorage)) {
    if (new RegExp(`^draft:(rope-)?${userId}(:|$)`).test(name)) localStorage.removeItem(name);
  }
}
