/* Loaded by the inline script (app/entry/signed-in.inline.ts): starts islands, and loads the other behaviours. */

export { startIslands } from "#app/client/runtime.client.ts";

export const behaviours = () => import("#app/entry/behaviours.client.ts");

/** Shows and sends what this browser has and the server does not. */
export const startQueue = () =>
  import("#app/offline/signed-in-queue.client.ts").then(({ showAndSend }) => showAndSend());
