import { startBusyButtons } from "./busy.client.ts";

/* The script of public pages: forms are not sent twice. */
startBusyButtons();
