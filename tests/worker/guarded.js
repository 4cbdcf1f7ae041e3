// Refuses a batch of the app that changes what acts read without the guard before it (app/db/commit.server.ts). The app then
// answers 500, so whatever test sends the request fails.

/** Tables that only a guarded batch writes. Of records it is the changes, and of users those of these columns. */
const GUARDED = [
  "verification_items",
  "verification_requests",
  "verification_answers",
  "supervisors",
  "exports",
  "imports",
  "email_changes",
  "email_confirmations",
];
const OF_USERS = /"?\b(name|employee_number|email|password|is_admin|locked_at)\b"? = /;

/** What needs no guard, each with its reason: what no other act depends on. */
const EXEMPT = [
  [/^update "verification_requests" set "opened_at"/, "a link was opened: it decides nothing"],
  [/^update "verification_requests" set ("reminded" = [^,]+, )?"remind_at" = /, "when the timer sends the next email"],
  [/^update "verification_answers" set ("notice_id"|"suppressed")/, "the state of a notice"],
  [/^update "verification_requests" set "reminders"/, "a setting of a request: whether reminders go out"],
  [/^update "exports" set "checks"/, "a check was counted"],
  [
    /^insert into "email_confirmations"/,
    "a link to confirm an address: one that was open when it was read may be used",
  ],
  [/^update "email_(changes|confirmations)" set "token" = /, "the same link with a new secret"],
];

/**
 * @param {{ sql: string }[]} parts the statements of a batch
 * @throws {Error} if one of them changes a guarded table before the guard
 */
export function requireGuard(parts) {
  for (const { sql } of parts) {
    const text = sql.trim();
    if (/^insert into "?acts"?/i.test(text)) return;
    if (isGuarded(text) && !EXEMPT.some(([exempt]) => exempt.test(text)))
      throw new Error(`without the guard before it: ${text.slice(0, 200)}`);
  }
}

function isGuarded(sql) {
  const [, verb, table] = /^(insert into|update|delete from) "?(\w+)"?/i.exec(sql) ?? [];
  if (table === "records") return !/^insert/i.test(verb);
  if (table === "users") return /^update/i.test(verb) && OF_USERS.test(sql.split(/\bwhere\b/i)[0] ?? "");
  return GUARDED.includes(table);
}
