import { rows } from "./database.ts";

/** The supervisor verifies the records of a request. */
export async function storeAnswer(binding: D1Database, token: string, now: number): Promise<void> {
  const request = "(SELECT id FROM verification_requests WHERE token = ?1)";
  const records = `(SELECT record_id FROM verification_items WHERE request_id = ${request} AND state = 'waiting')`;
  const statements = [
    `UPDATE records SET verified = 1, verified_by = 'Ola', verified_at = ?2, verified_via = 'link', requested_at = NULL
      WHERE id IN ${records}`,
    `INSERT INTO verification_answers (request_id, name, via, at)
      SELECT ${request}, 'Ola', 'link', ?2 WHERE EXISTS ${records}`,
    `UPDATE verification_items SET state = 'verified', decided_at = ?2, answer_id = (SELECT max(id) FROM verification_answers
      WHERE request_id = ${request}) WHERE request_id = ${request} AND state = 'waiting'`,
  ];
  await binding.batch(statements.map((statement) => binding.prepare(statement).bind(token, now)));
}

/** The number of answers whose notice was neither sent nor of unknown outcome. */
export async function untoldAnswers(binding: D1Database, address: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    binding,
    `SELECT count(*) AS n FROM verification_answers AS answer JOIN verification_requests AS request
        ON request.id = answer.request_id
      WHERE supervisor_email = ? AND NOT EXISTS (SELECT 1 FROM supervisor_notices AS notice JOIN outbox
        ON submission = nonce WHERE notice.id = answer.notice_id AND state IN ('sent', 'unknown'))`,
    address,
  );
  return found?.n ?? 0;
}
