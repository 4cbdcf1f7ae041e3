// Runs the tests' own SQL inside workerd. Miniflare would lend Node its binding, but through a synchronous proxy that
// loses answers on a busy machine.

/**
 * Answers a list of calls, `[{ statements: [{ sql, values }, …], isBatch }, …]`, which run at once: each is one statement
 * by itself, or several as one transaction. The answer to each is its results, or D1's message.
 * @param {Request} request
 * @param {D1Database} database
 */
export async function runSql(request, database) {
  const calls = await request.json();
  return Response.json(await Promise.all(calls.map((call) => answerTo(call, database))));
}

async function answerTo({ statements, isBatch }, database) {
  const prepared = statements.map(({ sql, values }) => database.prepare(sql).bind(...values));
  try {
    return { results: isBatch ? await database.batch(prepared) : [await prepared[0].run()] };
  } catch (error) {
    return { error: error.message };
  }
}
