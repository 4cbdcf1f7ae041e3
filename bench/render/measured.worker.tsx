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
 * /profile alone. workerd's clock stands still while it works: who asks takes the time, and has it do so many at once.
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

/** The whole of a request to /profile; what D1 answers, it answers once, and from then on without D1. */
function handler(request: Request, env: WorkerEnv, context: ExecutionContext): () => Promise<string> {
  const cookie = request.headers.get("Cookie") ?? "";
  const reads = new URL(request.url).pathname === "/handler/json";
  const key = `${cookie} ${reads}`;
  const database = replayed.get(key) ?? new ReplayedDatabase(env.DB, reads);
  replayed.set(key, database);
  let isFirst = true;
  return async () => {
    const asked = new Request("http://localhost/profile", { headers: { Cookie: cookie, Host: "localhost" } });
    const answer = await app.fetch(asked as Parameters<typeof app.fetch>[0], { ...env, DB: database.binding }, context);
    if (!isFirst) {
      await answer.body?.cancel(); // the runtime sends it, and no script of the Worker's has a part in that
      return "";
    }
    isFirst = false;
    return answer.text();
  };
}
