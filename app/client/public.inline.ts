import { startBusyButtons } from "./busy.client.ts";
import { startPasswordButtons } from "./password.client.ts";
import { announceToast } from "./toast.client.ts";

/* The script of public pages: forms are not sent twice, passwords can be shown, and a toast is announced. */
startBusyButtons();
startPasswordButtons();
announceToast();
