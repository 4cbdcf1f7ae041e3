// Runs the tests' own SQL inside workerd. Miniflare would lend Node its binding, but through a synchronous proxy that
// loses answers on a busy machine.

/**
 * Answers `[{ sql, values }, …]`: one statement by itself, several as one transaction.
 * @param {Request} request
 * @param {D1Database} database
 */
export async function runSql(request, database) {
  const { statements, isBatch } = await request.json();
  const prepared = statements.map(({ sql, values }) => database.prepare(sql).bind(...values));
  try {
    return Response.json(isBatch ? await database.batch(prepared) : [await prepared[0].run()]);
  } catch (error) {
    return new Response(error.message, { status: 500 });
  }
}
