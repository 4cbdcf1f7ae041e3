import { savesData } from "#app/client/save-data.client.ts";

/** An empty database: that it exists says that the hint was closed. `localStorage` is for what was typed. */
const CLOSED = "install-hint-closed";

/**
 * Offers to install the app, below the form for new hours, unless it was closed here before or nothing is logged yet. It
 * says what that is good for and stays until it is answered; both answers are for ever.
 */
async function showHint(offer: { prompt(): Promise<unknown> }): Promise<void> {
  const form = document.querySelector("section[aria-labelledby=new]");
  const hasRecords = document.querySelector("table.list tbody tr");
  if (!form || !hasRecords || document.getElementById("install")) return;
  if ((await indexedDB.databases()).some(({ name }) => name === CLOSED)) return;

  const hint = document.createElement("aside");
  hint.id = "install";
  hint.className = "apart";
  hint.ariaLabel = "Install the app";
  const text = document.createElement("p");
  text.className = "hint";
  text.textContent = "Installed on this device, Hours Tracker opens from its icon, also without a signal.";
  const close = () => {
    indexedDB.open(CLOSED);
    hint.remove();
  };
  const install = button("Install", "second", () => {
    close();
    offer.prompt();
  });
  const buttons = document.createElement("p");
  buttons.className = "row";
  buttons.appendChild(install);
  buttons.appendChild(button("No, thanks", "quiet", close));
  hint.appendChild(text);
  hint.appendChild(buttons);
  form.appendChild(hint);
  addEventListener("appinstalled", close);
}

function button(text: string, className: string, onclick: () => void): HTMLButtonElement {
  return Object.assign(document.createElement("button"), { type: "button", className, textContent: text, onclick });
}

const MANIFEST = "/manifest.webmanifest";

/**
 * Makes the page installable: names the manifest, which Chromium requests at once, with an icon, so no page names it before
 * it is touched (docs/decisions/0060-service-worker.md). Where the browser then offers to install the app, the page
 * shows a hint instead of the browser's own banner.
 */
export function startInstalling(): void {
  if (savesData() || document.querySelector("[rel=manifest]")) return;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    // TypeScript's library does not declare the event, which only Chromium has.
    showHint(event as Event & { prompt(): Promise<unknown> });
  });
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = MANIFEST;
  document.head.appendChild(link);
}
