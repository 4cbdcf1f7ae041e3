// Refuses a batch of the app that changes what acts read without the guard before it (app/db/commit.server.ts). The app then
// answers 500, so whatever test sends the request fails. It does not find a guard for another account than the one that is changed.

/** Tables that only a guarded batch writes. Of records it is the changes, and of users the deletion and those of these columns. */
const GUARDED = [
  "verification_items",
  "verification_requests",
  "verification_answers",
  "supervisors",
  "exports",
  "export_records",
  "event_facts",
  "imports",
  "account_links",
  "earlier_addresses",
];
const OF_USERS = [
  "name",
  "employee_number",
  "email",
  "password",
  "is_admin",
  "locked_at",
  "email_confirmed_at",
  "reset_mailed", // with each new link, and not where one that has ended is cleared
];

/**
 * Changes that need no guard, each with its reason: what no other act depends on. Without columns: new rows. The last is which of
 * these statements, if not all.
 */
const EXEMPT = [
  ["verification_requests", ["opened_at", "supervisor_time_zone"], "a link was opened: it decides nothing"],
  [
    "verification_requests",
    ["reminded", "remind_at", "email_withheld", "mail_at"],
    "when the timer sends the next email",
  ],
  ["verification_requests", ["reminders"], "a setting of a request: whether reminders go out"],
  ["verification_answers", ["notice_id", "suppressed"], "the state of a notice"],
  ["exports", ["checks", "checked_at"], "a check was counted"],
  [
    "account_links",
    [],
    "a link to confirm an address: one that was open when it was read may be used",
    ({ values }) => values.includes("confirmation"),
  ],
  ["account_links", ["token"], "the same link with a new secret"],
];

/**
 * @param {{ sql: string, values: unknown[] }[]} parts the statements of a batch
 * @throws {Error} if one of them changes a guarded table before the guard, or cannot be read here
 */
export function requireGuard(parts) {
  for (const part of parts) {
    const { sql, values } = part;
    const { verb, table, columns } = changeOf(sql);
    const isNoGuard = values.includes("[]"); // of no account
    if (table === "acts" && !isNoGuard) return;
    if (isGuarded(verb, table, columns) && !isExempt(verb, table, columns, part))
      throw new Error(`without the guard before it: ${sql.trim().slice(0, 200)}`);
  }
}

const READS = /^(select|values|pragma|explain)\b/i;
const CHANGE =
  /^(?:with .*?\) )?(insert|replace|update|delete)(?: or \w+)? (?:into |from )?"?(\w+)"?(?: set (.*?)(?: where .*| from .*| returning .*|$)|.*$)/i;

/** What a statement changes: its verb, its table and, of an update, the columns. Nothing for one that only reads. */
function changeOf(sql) {
  const text = withoutNested(sql);
  if (READS.test(text) || /^with .*?\) select\b/i.test(text)) return {};
  const [, verb, table, set = ""] = CHANGE.exec(text) ?? [];
  if (!verb) throw new Error(`a statement that the harness cannot read: ${text.slice(0, 200)}`);
  const columns = [...set.matchAll(/(?:^|, )"?(\w+)"? = /g)].map(([, column]) => column);
  return { verb: verb.toLowerCase(), table, columns };
}

/** The statement on one line, without what is inside brackets. */
function withoutNested(sql) {
  let depth = 0;
  const kept = [...sql.trim().replaceAll(/\s+/g, " ")].filter((letter) => {
    if (letter === ")") depth -= 1;
    const isKept = depth === 0;
    if (letter === "(") depth += 1;
    return isKept;
  });
  return kept.join("");
}

function isGuarded(verb, table, columns) {
  if (table === "records") return verb === "update" || verb === "delete";
  if (table === "users")
    return verb === "delete" || (verb === "update" && columns.some((one) => OF_USERS.includes(one)));
  return GUARDED.includes(table);
}

function isExempt(verb, table, columns, part) {
  return EXEMPT.some(
    ([tables, allowed, , isMeant = () => true]) =>
      isMeant(part) &&
      new RegExp(`^${tables}$`).test(table) &&
      verb === (allowed.length === 0 ? "insert" : "update") &&
      columns.every((one) => allowed.includes(one)),
  );
}
