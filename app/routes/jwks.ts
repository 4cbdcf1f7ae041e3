import { z } from "zod";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { listPublicKeys } from "#app/proof/signing-keys.server.ts";

/** The public keys of the statements, for anyone who checks one. A new key is listed after five minutes at the latest. */
const keys = endpoints(
  { name: "Keys", description: "For anyone who checks a statement." },
  api("/.well-known/jwks.json", {
    access: "public",
    GET: {
      summary: "The public keys of the statements on exported forms",
      query: z.object({}), // an added parameter is no mistake here
      answer: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
      run: async ({ context }) =>
        Response.json(await listPublicKeys(context.db), { headers: { "Cache-Control": "public, max-age=300" } }),
    },
  }),
);

export { keys as loader };
