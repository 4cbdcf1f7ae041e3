/** Stores a request for entries of one technician beside the running app, and returns the path of its link. */
export async function storeRequest(entryIds: number[]): Promise<string> {
  const token = crypto.randomUUID();
  const ids = entryIds.join(", ");
  process.env.DATA_DIR = process.env.BROWSER_TEST_DATA; // read at the import
  const { withDatabase } = await import("#scripts/lib/remote.ts");
  await withDatabase(false, async (execute) => {
    await execute(
      `INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, asked_at, expires_at)
        SELECT user_id, '${token}', 'Piet van der Berg', 'piet@ndt.example', unixepoch() * 1000, unixepoch() * 1000,
          (unixepoch() + 90 * 86400) * 1000 FROM entries WHERE id = ${entryIds[0]}`,
    );
    await execute(
      `INSERT INTO verification_items (request_id, record_kind, record_id, position)
        SELECT (SELECT id FROM verification_requests WHERE token = '${token}'), 'entry', id, id
        FROM entries WHERE id IN (${ids})`,
    );
  });
  return `/verify/${token}`;
}
