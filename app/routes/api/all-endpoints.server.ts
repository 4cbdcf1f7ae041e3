import { z } from "zod";
import { openApiDocument } from "#app/api/document.server.ts";
import { api, endpoints } from "#app/api/endpoint.server.ts";
import { loader as account } from "./account.ts";
import { loader as admin } from "./admin.ts";
import { loader as auth } from "./auth.ts";
import { loader as events } from "./events.ts";
import { loader as exports } from "./exports.ts";
import { loader as imports } from "./imports.ts";
import { loader as records } from "./records.ts";
import { loader as requests } from "./requests.ts";
import { loader as supervisors } from "./supervisors.ts";
import { loader as targets } from "./targets.ts";
import { loader as verify } from "./verify.ts";

/** The call that answers the document of all of them. */
export const description = endpoints(
  { name: "Description", description: "The API describes itself." },
  api("/api/openapi.json", {
    access: "public",
    GET: {
      summary: "This description",
      answer: z.record(z.string(), z.unknown()),
      async run({ context }) {
        const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" };
        return new Response(openApiDocument(ALL_ENDPOINTS, context.origin), { headers });
      },
    },
  }),
);

/** Every endpoint of the app, by subject, as the document lists them. */
export const ALL_ENDPOINTS = [
  auth,
  account,
  records,
  supervisors,
  requests,
  verify,
  events,
  targets,
  exports,
  imports,
  admin,
  description,
];
