/** SQL that selects records and the tokens that their links get, for `ownRequests`. */
export function withTokens(list: readonly (readonly [recordId: number, token: string])[]): string {
  return `SELECT value ->> 0 AS record_id, value ->> 1 AS token FROM json_each('${JSON.stringify(list)}')`;
}

/**
 * SQL that makes the own request of each record that `selected` selects as `record_id` and `token`: open, or answered if the
 * record is verified. `at` is an instant, in milliseconds since 1970.
 */
export function ownRequests(selected: string, at: number, expires = at + 90 * 24 * 60 * 60 * 1000): string[] {
  return [
    `INSERT INTO verification_requests
      (user_id, token, own_record_id, supervisor_name, supervisor_email, created_at, requested_at, expires_at, ended_at)
      SELECT user_id, selected.token, records.id, 'Ola Hansen', 'ola@example.org', ${at}, ${at}, ${expires}, verified_at
      FROM (${selected}) AS selected JOIN records ON records.id = selected.record_id ORDER BY records.id`,
    `INSERT INTO verification_items (request_id, record_id, position, state, decided_at)
      SELECT request.id, records.id, 0, iif(verified, 'verified', 'waiting'), verified_at
      FROM verification_requests AS request JOIN records ON records.id = request.own_record_id
      WHERE NOT EXISTS (SELECT 1 FROM verification_items WHERE request_id = request.id)`,
  ];
}
