// A Worker beside the app, in the same workerd, that answers Node's questions to the database. Miniflare would lend Node its
// binding, but through a proxy that waits synchronously: Node then reads nothing that workerd writes, and with many requests
// open workerd waits for Node for ever.

/** @type {ExportedHandler<{ DB: D1Database, SECRET: string }>} */
export default {
  async fetch(request, { DB, SECRET }) {
    // Every program of this machine can reach this address.
    if (request.headers.get("Authorization") !== SECRET) return new Response("Forbidden", { status: 403 });
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
