/** Whether `localStorage` has drafts of version 0.1.0, which kept nothing else there. */
function hasOldDrafts(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false; // the storage is blocked
  }
}

/* Loaded by the inline script (app/entry/signed-in.inline.ts): starts islands, and loads the other behaviours. */

export { startIslands } from "#app/client/runtime.client.ts";

export const behaviours = () => import("#app/entry/behaviours.client.ts");

/** Shows and sends what this browser has and the server does not. */
export const startQueue = () =>
  import("#app/offline/signed-in-queue.client.ts").then(({ showAndSend }) => showAndSend());

if (hasOldDrafts()) startQueue();
