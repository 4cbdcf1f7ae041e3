import { renderToString } from "react-dom/server";
import { connect } from "#app/db/client.server.ts";
import app from "#app/entry.worker.ts";
import { totalsByMethod } from "#app/records/entry/entries.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { EntryLog } from "#app/records/entry/entry-log.tsx";
import { logPageFromRows, logPageQuery, logQueryFrom } from "#app/records/log-page.server.ts";
import { ReplayedDatabase } from "./replayed-database.ts";

type WorkerEnv = Parameters<typeof app.fetch>[1];

/*
 * The product's Worker in a build of its own, and beside it, in the same runtime with the same React, the table of
 * /profile alone. workerd's clock stands still while it works, so the client takes the time of many renders at once.
 */
export default {
  async fetch(request: Request, env: WorkerEnv, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const times = Number(searchParams.get("times"));
    const rows = Number(searchParams.get("rows"));
    const work = pathname === "/bare" ? await bare(env, rows) : handler(request, env, context);
    let html = "";
    for (let index = 0; index < times; index += 1) html = await work();
    return new Response(`${html.split("<tr").length - 1}`);
  },
};

/** `renderToString` of the log of a page, and nothing else. */
async function bare(env: WorkerEnv, rows: number): Promise<() => Promise<string>> {
  const db = connect(env.DB);
  const query = logQueryFrom(new URL("http://localhost/profile"));
  const page = logPageFromRows(entryKind, await logPageQuery(db, rows, entryKind, query), query);
  const totals = await totalsByMethod(db, rows);
  return async () => renderToString(<EntryLog page={page} totals={totals} filteredTotals={null} />);
}

const replayed = new Map<string, ReplayedDatabase>();

/** A whole request to /profile; D1 is asked the first time, and its answers are used again from then on. */
function handler(request: Request, env: WorkerEnv, context: ExecutionContext): () => Promise<string> {
  const cookie = request.headers.get("Cookie") ?? "";
  const database = replayed.get(cookie) ?? new ReplayedDatabase(env.DB);
  replayed.set(cookie, database);
  let isFirst = true;
  return async () => {
    const asked = new Request("http://localhost/profile", { headers: { Cookie: cookie, Host: "localhost" } });
    const answer = await app.fetch(asked as Parameters<typeof app.fetch>[0], { ...env, DB: database.binding }, context);
    if (!isFirst) {
      await answer.body?.cancel(); // sending it is the runtime's work, not the Worker's
      return "";
    }
    isFirst = false;
    return answer.text();
  };
}
