/**
 * SQL that makes a verification request for each record that was inserted with the token of a link. `at` is an instant, in
 * milliseconds since 1970.
 */
export function requestsOfLinks(at: number, expires = at + 90 * 24 * 60 * 60 * 1000): string[] {
  return [
    `INSERT INTO verification_requests (user_id, token, supervisor_name, supervisor_email, created_at, asked_at, expires_at, ended_at)
      SELECT user_id, verification_token, 'Ola Hansen', 'ola@example.org', ${at}, ${at}, ${expires}, verified_at
      FROM records WHERE verification_token IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM verification_requests WHERE token = verification_token)
      ORDER BY id`,
    `INSERT INTO verification_items (request_id, record_id, position, state, decided_at)
      SELECT request.id, record.id, 0, iif(verified, 'verified', 'waiting'), verified_at
      FROM verification_requests AS request JOIN records AS record ON record.verification_token = request.token
      WHERE NOT EXISTS (SELECT 1 FROM verification_items WHERE request_id = request.id)`,
  ];
}
