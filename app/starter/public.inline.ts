import { startBusyButtons } from "#app/ui/busy.client.ts";

/* What a page for anybody runs: its forms say that they are on their way, and are not sent twice. */
startBusyButtons();
