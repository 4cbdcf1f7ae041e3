import { forgetRows } from "#app/offline/forget-rows.client.ts";
import { startBusyButtons } from "./busy.client.ts";
import { startPasswordButtons } from "./password.client.ts";
import { announceToast } from "./toast.client.ts";

/* The script of the public page after a logout: what that user kept in this browser is deleted. */
startBusyButtons();
startPasswordButtons();
announceToast();
forgetRows();
