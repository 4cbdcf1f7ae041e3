import { forgetDrafts } from "#app/records/drafts/forget-drafts.client.ts";
import { startBusyButtons } from "./busy.client.ts";

/* The script of public pages: forms are not sent twice, and after a logout that user's drafts are deleted. */
startBusyButtons();
forgetDrafts();
