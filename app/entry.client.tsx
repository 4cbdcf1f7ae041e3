import { startBusyButtons } from "./ui/busy.client.ts";

startBusyButtons();
// Pages for anybody have no islands and fetch nothing more than the lines above.
if (document.querySelector("[data-island]")) {
  import("./behaviours.client.ts").then(({ startBehaviours }) => startBehaviours());
  import("./islands/runtime.client.ts").then(({ startIslands }) => startIslands());
}
