import { startBusyButtons } from "#app/client/busy.client.ts";
import { keepCard } from "#app/client/keep-card.client.ts";
import { startPasswordButtons } from "#app/client/password.client.ts";
import { announceToast } from "#app/client/toast.client.ts";

/* The script of public pages: forms are not sent twice, passwords can be shown, a toast is announced, and the card of a shift is kept. */
startBusyButtons();
startPasswordButtons();
announceToast();
// Last, as the storage may be blocked.
keepCard();
