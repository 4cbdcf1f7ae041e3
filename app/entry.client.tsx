import { startBusyButtons } from "./ui/busy.client.ts";

startBusyButtons();
// Pages for anybody have neither, and fetch nothing more than the lines above.
if (document.querySelector(".top")) import("./behaviours.client.ts").then(({ startBehaviours }) => startBehaviours());
if (document.querySelector("[data-island]")) {
  import("./islands/runtime.client.ts").then(({ startIslands }) => startIslands());
}
