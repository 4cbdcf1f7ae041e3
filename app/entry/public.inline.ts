import { startBusyButtons } from "#app/client/busy.client.ts";
import { startPasswordButtons } from "#app/client/password.client.ts";
import { announceToast } from "#app/client/toast.client.ts";

/* The script of public pages: forms are not sent twice, passwords can be shown, and a toast is announced. */
startBusyButtons();
startPasswordButtons();
announceToast();
