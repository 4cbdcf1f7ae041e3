import app from "#app/entry.worker.ts";
import { renderAgain } from "./rendered-page.ts";
import { ReplayedDatabase } from "./replayed-database.ts";

type WorkerEnv = Parameters<typeof app.fetch>[1];

/*
 * The product's Worker in a separate build, and, in the same runtime with the same React, the render of the same page
 * alone. workerd's clock does not advance during work, so the client measures many renders at once.
 */
export default {
  async fetch(request: Request, env: WorkerEnv, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const times = Number(searchParams.get("times"));
    const work = pathname === "/bare" ? bare : handler(request, env, context);
    let html = "";
    for (let index = 0; index < times; index += 1) html = await work();
    return new Response(`${html.split("<tr").length - 1}`);
  },
};

/** `renderToString` of the page that the handler rendered last, and nothing else. */
function bare(): Promise<string> {
  return Promise.resolve(renderAgain());
}

const replayed = new Map<string, ReplayedDatabase>();

/** A whole request to /profile. D1's responses to the first request are reused. */
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
