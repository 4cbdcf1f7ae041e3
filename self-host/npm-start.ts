import { z } from "zod";
import { type AroundEnv, announce, answer, sweep } from "./around-app.ts";

// Otherwise zod compiles schemas with `eval`, which Workers do not allow.
z.config({ jitless: true });

interface NpmStartEnv extends Omit<AroundEnv, "isHealthy"> {
  /** Node's server, which checks the disk: 200 or 503, as /healthz. */
  HEALTH: Fetcher;
  /** The version of workerd. */
  RUNTIME: string;
}

const aroundEnvOf = (env: NpmStartEnv): AroundEnv => ({
  ...env,
  selfHost: { backups: async () => [], plan: null, runtime: env.RUNTIME },
  isHealthy: () => env.HEALTH.fetch("http://node/healthz").then(({ ok }) => ok),
});

/**
 * The entry of the Worker in `npm start`: the app, with what the executable has around it too. Node's server in front of it
 * (scripts/start.ts) finds the client's address and answers /healthz.
 */
export default {
  async fetch(request, env, execution) {
    execution.waitUntil(announce(aroundEnvOf(env), request));
    return answer(request, aroundEnvOf(env), execution);
  },
  scheduled: (controller, env, execution) => sweep(controller, aroundEnvOf(env), execution),
} satisfies ExportedHandler<NpmStartEnv>;
