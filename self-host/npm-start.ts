import { z } from "zod";
import { type AroundEnv, announce, answer, sweep } from "./around-app.ts";

// Otherwise zod compiles schemas with `eval`, which Workers do not allow.
z.config({ jitless: true });

/**
 * The entry of the Worker in `npm start`: the app, with what the executable has around it too. Node's server in front of it
 * (scripts/start.ts) finds the client's address and answers /healthz.
 */
export default {
  async fetch(request, env, execution) {
    execution.waitUntil(announce(env, request));
    return answer(request, env, execution);
  },
  scheduled: sweep,
} satisfies ExportedHandler<AroundEnv>;
