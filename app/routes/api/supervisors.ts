import { z } from "zod";
import { requireUser } from "#app/accounts/access.server.ts";
import { message, supervisor } from "#app/api/answers.ts";
import { api, endpoints, listOf } from "#app/api/endpoint.server.ts";
import { SEARCH_MAX } from "#app/records/log-filter-form.tsx";
import { LIST_MAX, listSchema, positive } from "#app/server/query.ts";
import {
  changeSupervisor,
  createSupervisor,
  deleteSupervisor,
  findSupervisor,
} from "#app/supervisors/own-supervisors.server.ts";
import { supervisorSchema, supervisorSent, supervisorUpdate } from "#app/supervisors/supervisor.schema.ts";
import { listSupervisors } from "#app/supervisors/supervisors.server.ts";

const calls = endpoints(
  { name: "Supervisors", description: "The people whom a technician asks to verify hours." },
  api("/api/supervisors", {
    access: "user",
    heavy: "reads",
    GET: listOf({
      summary: "The user's supervisors, at most 2,000",
      query: listSchema(LIST_MAX, {
        before: positive("before").optional(),
        q: z
          .string()
          .trim()
          .max(SEARCH_MAX, { error: `q has at most ${SEARCH_MAX} characters` })
          .default("")
          .meta({ description: "Those with this text in the name, the email address or the company" }),
      }),
      item: supervisor,
      async read(query, context) {
        const { supervisors } = await requireUser(context, (owner, db) => ({
          supervisors: listSupervisors(db, owner, query),
        }));
        return supervisors;
      },
      cursorOf: ({ id }) => id,
    }),
    POST: {
      summary: "Add a supervisor",
      description:
        "`phone`, `certificationLevel` and `company` are needed to verify hours. With a `role` they may be left out: that is enough for training and certificates. A mailbox is in the list once: another supervisor with it is 409 on `email`.",
      hasKey: true,
      body: supervisorSchema,
      sent: supervisorSent,
      status: 201,
      answer: supervisor,
      errors: ["own_mailbox", "supervisor_exists", "account_full", "conflict"],
      run: ({ body, key, context }) => createSupervisor(context, body, key),
    },
  }),
  api("/api/supervisors/{id}", {
    access: "user",
    GET: {
      summary: "A supervisor",
      answer: supervisor,
      run: async ({ id, context }) => (await findSupervisor(context, id)).supervisor,
    },
    PATCH: {
      summary: "Change a supervisor",
      description: "A mailbox is in the list once: that of another supervisor is 409 on `email`.",
      body: z.unknown(),
      sent: supervisorUpdate,
      answer: supervisor,
      errors: ["own_mailbox", "supervisor_exists", "conflict"],
      before: ({ id, context }) => findSupervisor(context, id),
      run: ({ id, body, context }) => changeSupervisor(context, id, body),
    },
    DELETE: {
      summary: "Delete a supervisor",
      answer: message,
      errors: ["conflict"],
      async run({ id, context }) {
        await deleteSupervisor(context, id);
        return { message: "Supervisor deleted" };
      },
    },
  }),
);

export { calls as action, calls as loader };
