// A Worker beside the app, in the same workerd: it answers Node's questions to the database and starts the app's timer. Miniflare
// would lend Node both, but through a proxy that can wait synchronously: Node then reads nothing that workerd writes, and with
// many requests open workerd waits for Node for ever.

/** @type {ExportedHandler<{ DB: D1Database, APP?: Fetcher, SECRET: string }>} */
export default {
  async fetch(request, { DB, APP, SECRET }) {
    // Every program of this machine can reach this address.
    if (request.headers.get("Authorization") !== SECRET) return new Response("Forbidden", { status: 403 });
    if (new URL(request.url).pathname === "/timer") {
      return Response.json(await APP?.scheduled?.({ scheduledTime: new Date(), cron: "* * * * *" }));
    }
    /** @type {import("./borrowed-database.ts").Question} */
    const { kind, statements } = await request.json();
    const prepared = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
    try {
      const result = kind === "batch" ? await DB.batch(prepared) : await prepared[0]?.[kind]();
      return Response.json({ result });
    } catch (error) {
      return Response.json({ error: error instanceof Error ? error.message : String(error) });
    }
  },
};
