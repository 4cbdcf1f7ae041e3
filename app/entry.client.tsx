import { startIslands } from "./islands/runtime.client.ts";

startIslands();
