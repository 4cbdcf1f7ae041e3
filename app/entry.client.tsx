/*
 * What a signed-in page fetches when its starter (app/client/signed-in.inline.ts) finds a reason to: the islands'
 * runtime, which most touches are for, and the way to the rest.
 */

export { startIslands } from "#app/client/runtime.client.ts";

export const behaviours = () => import("#app/client/behaviours.client.ts");
