import { forgetDrafts } from "#app/records/drafts/forget-drafts.client.ts";
import { startBusyButtons } from "./busy.client.ts";

/*
 * What a page for anybody runs: its forms say that they are on their way, and are not sent twice; after a logout, what
 * the browser kept of that user goes.
 */
startBusyButtons();
forgetDrafts();
