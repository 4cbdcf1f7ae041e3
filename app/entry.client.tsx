/* Loaded by the inline script (app/client/signed-in.inline.ts): starts islands, and loads the other behaviours. */

import { hasOldDrafts } from "#app/offline/has-old-drafts.client.ts";

export { startIslands } from "#app/client/runtime.client.ts";

export const behaviours = () => import("#app/client/behaviours.client.ts");

/** Shows and sends what this browser has and the server does not. */
export const startQueue = () =>
  import("#app/offline/signed-in-queue.client.ts").then(({ showAndSend }) => showAndSend());

if (hasOldDrafts()) startQueue();
