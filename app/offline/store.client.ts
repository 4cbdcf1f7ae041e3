import type { FormRow, Row, Visit } from "./row.ts";

/*
 * The one store of hours that only this browser has: an IndexedDB database, the same for pages, offline pages and the
 * service worker (docs/decisions/0059-one-store-for-drafts-and-queue.md). Every function rejects if the storage is
 * blocked or full.
 */

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open("hours", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("rows", { keyPath: "key" });
    request.onerror = fail;
    request.onsuccess = () => {
      // The browser has wiped its storage, or has closed it in the background, as phones do: the next use opens it again.
      request.result.onclose = () => {
        opening = undefined;
      };
      done(request.result);
    };
  });
  return opening;
}

/** Runs `work` in one transaction. Resolves with the result of the request that it returns, once it is stored. */
export async function inStore<T>(work: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction("rows", "readwrite");
  const request = work(transaction.objectStore("rows"));
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = fail;
  });
}

/** Stores a row, whatever was under its key. */
export function put(row: FormRow | Row | Visit): Promise<unknown> {
  return inStore((rows) => {
    const request = rows.put(row);
    // Without this the transaction ends only when the page has handled the result, which a closed page never does.
    request.transaction?.commit();
    return request;
  });
}
