import type { AppLoadContext } from "@remix-run/cloudflare";
import { requireAdmin } from "#app/accounts/access.server.ts";
import type { Kind } from "#app/records/kinds.ts";
import { answerList } from "#app/server/list.server.ts";
import { listQuerySchema } from "./list-query.schema.ts";
import { listAllRecords } from "./lists.server.ts";

/**
 * Answers a list of all users' records.
 * @throws as `requireAdmin`, and {AppError} 400 for an invalid or unknown parameter
 */
export function answerRecordList(request: Request, context: AppLoadContext, kind: Kind): Promise<Response> {
  return answerList(
    { request, context },
    {
      schema: listQuerySchema,
      access: requireAdmin,
      read: async ({ limit, before = null, user: userId = null }) => {
        const { records } = await requireAdmin(context, (viewer, db) => ({
          records: listAllRecords(db, viewer, kind, { before, userId, limit }),
        }));
        return records;
      },
      cursorOf: ({ id }) => id,
    },
  );
}
