import { startBusyButtons } from "#app/client/busy.client.ts";
import { keepCard } from "#app/client/keep-card.client.ts";
import { startPasswordButtons } from "#app/client/password.client.ts";
import { announceToast } from "#app/client/toast.client.ts";
import { forgetRows } from "#app/offline/forget-rows.client.ts";

/* The script of the public page after a logout: what that user kept in this browser is deleted. */
startBusyButtons();
startPasswordButtons();
announceToast();
forgetRows();
// Last, as the storage may be blocked.
keepCard();
