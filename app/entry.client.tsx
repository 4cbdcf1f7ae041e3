/* Loaded by the inline script (app/client/signed-in.inline.ts): starts islands, and loads the other behaviours. */

import { registerWorker } from "#app/offline/register.client.ts";

export { startIslands } from "#app/client/runtime.client.ts";

/** Shows and sends what this browser has and the server does not. */
export const queue = () => import("#app/offline/signed-in-queue.client.ts");

export const behaviours = () => import("#app/client/behaviours.client.ts");

registerWorker();
