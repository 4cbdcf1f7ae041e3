/*
 * What a signed-in page fetches when its starter (app/starter/signed-in.inline.ts) finds a reason to: the islands'
 * runtime, which most touches are for, and the way to the rest.
 */

export { startIslands } from "./islands/runtime.client.ts";

export const behaviours = () => import("./starter/behaviours.client.ts");
