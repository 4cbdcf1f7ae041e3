/* Loaded by the inline script (app/client/signed-in.inline.ts): starts islands, and loads the other behaviours. */

export { startIslands } from "#app/client/runtime.client.ts";

export const behaviours = () => import("#app/client/behaviours.client.ts");
