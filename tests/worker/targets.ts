/** A target as it is sent to the app. */
export function aTarget(over: Record<string, unknown> = {}) {
  return {
    title: "Level II",
    standard: "SNT-TC-1A",
    edition: "",
    source: "",
    since: "2026-02-01",
    items: [anItem()],
    ...over,
  };
}

export function anItem(over: Record<string, unknown> = {}) {
  const counted = { unit: "hours", kind: "entry", methods: ["UT_THK", "UTSW"], required: 210 };
  const filters = { category: null, part: null, level: null, withinYears: null, workedAs: null, standard: null };
  return { title: "UT", clause: "", ...counted, ...filters, ...over };
}

/** Stores a target of one hour of MT, without the app. It is reached, so there is no estimate. Two statements for one batch; the first returns its id. */
export function targetStatements(db: D1Database, userId: number): D1PreparedStatement[] {
  const submission = crypto.randomUUID();
  return [
    db
      .prepare(
        `INSERT INTO targets (user_id, title, standard, source, since, submission, created_at)
          VALUES (?, 'Level I', 'SNT-TC-1A', 'a course', '2026-02-01', ?, 0) RETURNING id`,
      )
      .bind(userId, submission),
    db
      .prepare(
        `INSERT INTO target_items (target_id, position, title, clause, unit, record_kind, methods, required)
          SELECT id, 0, 'MT', '', 'hours', 'entry', '["MT"]', 100 FROM targets
          WHERE user_id = ? AND submission = ?`,
      )
      .bind(userId, submission),
  ];
}
