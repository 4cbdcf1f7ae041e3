import { type Execute, quoted } from "#app/db/client.server.ts";
import { IS_FACT_OF_EVENT } from "#app/db/schema.ts";
import { commonStart, normalizeMailbox } from "#app/plain-text.ts";

/*
 * The database can have millions of rows of other people, so every statement starts from the supervisor's addresses and finds the
 * rest by indexes; the tests of this module refuse one that scans a table. Only the first one reads more: all addresses that begin
 * as the supervisor's do.
 */

/** An SQL statement with a `?` for each of its values. */
interface Statement {
  sql: string;
  values: string[];
}

/*
 * A technician can ask a mailbox in hundreds of spellings, so each statement has their list once, as one value: D1 takes a statement of
 * at most 100,000 bytes. The list is never split, because what names no spelling of it is about another supervisor.
 */
const SPELLINGS = "WITH spellings (email) AS MATERIALIZED (SELECT value FROM json_each(?))";
const ADDRESSES = "SELECT email FROM spellings";
const DOMAINS = "SELECT substr(email, instr(email, '@') + 1) FROM spellings";

/** The tables that hold data of a supervisor, and the statement that erases it and returns a row for each erased one. */
interface Erasure {
  what: string;
  /** It follows `SPELLINGS`. Both are SQL in it: the spellings of the address, and their domains. */
  statement(addresses: string, domains: string): string;
}

/** The requests to the addresses: their snapshot of it is erased last, because the others are found by it. */
const requestsOf = (addresses: string) =>
  `SELECT id FROM verification_requests WHERE supervisor_email IN (${addresses})`;

/** The accounts that hold something about the supervisor. */
const accountsOf = (addresses: string) =>
  `SELECT user_id FROM supervisors WHERE email IN (${addresses}) UNION
    SELECT user_id FROM verification_requests WHERE supervisor_email IN (${addresses}) UNION
    SELECT user_id FROM event_facts WHERE ${namesOne("facts", addresses)} UNION
    SELECT user_id FROM event_facts WHERE ${isByAccount(addresses)}`;

/** So that an act that has read the name or address, such as an answer that is being stored, is decided again without them. */
const raiseRevisions = (addresses: string) =>
  `INSERT INTO acts SELECT id, revision, 0, NULL FROM users WHERE id IN (${accountsOf(addresses)})`;

/** The exports of these accounts. */
const exportsOf = (addresses: string) => `SELECT id FROM exports WHERE user_id IN (${accountsOf(addresses)})`;

/** In this order. A table that comes to hold such data needs a line here. */
const ERASURES: readonly Erasure[] = [
  // These come first, because the facts name the supervisor: before a request went to another address, and for a record
  // that is gone with its items.
  {
    what: "domains in exports",
    // The domains of verifications by this supervisor, also if they disowned them since. Another supervisor with a
    // request for the record may have verified it, with the same domain. A record that is gone has only its events:
    // there it is enough that they name the supervisor.
    statement: (addresses, domains) =>
      `UPDATE export_records SET domain = NULL
        WHERE (export_id, domain) IN (SELECT exports.id, key FROM exports JOIN json_each(domains)
            WHERE exports.id IN (${exportsOf(addresses)}) AND value IN (${domains})) AND (
          EXISTS (SELECT 1 FROM verification_items AS item JOIN verification_answers AS answer ON answer.id = item.answer_id
            WHERE item.request_id IN (${requestsOf(addresses)}) AND item.record_id = export_records.record_id
              AND answer.at = coalesce(export_records.content ->> '$.verifiedAt',
                (SELECT verified_at FROM records WHERE records.id = export_records.record_id)))
          OR record_id NOT IN (SELECT id FROM records) AND record_id IN (
            SELECT log.record_id FROM event_facts AS facts CROSS JOIN verification_log AS log ON ${IS_FACT_OF_EVENT}
            WHERE ${namesOne("facts.facts", addresses)}))
        RETURNING export_id`,
  },
  {
    what: "lists of domains",
    statement: (addresses, domains) => {
      const isUnused = `value IN (${domains}) AND NOT EXISTS (
          SELECT 1 FROM export_records WHERE export_id = exports.id AND export_records.domain = key)`;
      return `UPDATE exports SET domains = (SELECT json_group_array(iif(${isUnused}, NULL, value)) FROM json_each(domains))
        WHERE id IN (${exportsOf(addresses)}) AND EXISTS (SELECT 1 FROM json_each(domains) WHERE ${isUnused}) RETURNING id`;
    },
  },
  { what: "origins of openings", statement: eraseOpenings },
  {
    what: "names in answers",
    // Also of answers to another's request: an answer has its name as long as its events have their facts.
    statement: (addresses) =>
      `UPDATE verification_answers SET name = NULL WHERE name IS NOT NULL AND (request_id IN (${requestsOf(addresses)})
        OR id IN (SELECT item.answer_id FROM event_facts AS facts CROSS JOIN verification_log AS log ON ${IS_FACT_OF_EVENT}
          JOIN verification_items AS item ON item.record_id = log.record_id
          JOIN verification_answers AS answer ON answer.id = item.answer_id AND answer.at = log.at
          WHERE facts.hash IN (${factsOf(addresses)}) AND log.event IN ('verified', 'declined')))
        RETURNING id`,
  },
  {
    what: "personal data of events",
    statement: (addresses) => `DELETE FROM event_facts WHERE hash IN (${factsOf(addresses)}) RETURNING first_event`,
  },
  {
    what: "emails",
    statement: (addresses) => `DELETE FROM outbox WHERE request_id IN (${requestsOf(addresses)}) RETURNING id`,
  },
  {
    what: "reasons of declined records",
    statement: (addresses) =>
      `UPDATE verification_items SET reason = NULL WHERE reason IS NOT NULL AND request_id IN (${requestsOf(addresses)})
        RETURNING record_id`,
  },
  {
    what: "requests",
    statement: (addresses) =>
      `UPDATE verification_requests SET supervisor_id = NULL, supervisor_name = NULL, supervisor_email = NULL,
        supervisor_time_zone = NULL, remind_at = NULL, email_withheld = NULL, mail_at = NULL WHERE supervisor_email IN (${addresses}) RETURNING id`,
  },
  {
    what: "saved supervisors",
    statement: (addresses) => `DELETE FROM supervisors WHERE email IN (${addresses}) RETURNING id`,
  },
];

/** The result of an erasure: the addresses, the number of accounts, the number of rows, and the number of each kind. */
interface Erased {
  addresses: string[];
  accounts: number;
  count: number;
  rows: string;
}

/** Runs SQL statements, in one transaction where the caller can, and returns the rows of each. */
type ExecuteAll = (statements: Statement[]) => Promise<Record<string, unknown>[][]>;

/**
 * Runs them one after the other with their values as literals, each in a transaction of its own, as the commands do: then twice,
 * because an act that reads an account after the guard and commits before the last statement stores the address again.
 */
export function oneByOne(execute: Execute): ExecuteAll {
  return async (statements) => {
    const answers = statements.map((): Record<string, unknown>[] => []);
    for (const _pass of [1, 2]) {
      for (const [index, { sql, values }] of statements.entries()) {
        const left = values.map(quoted);
        answers[index]?.push(...(await execute(sql.replaceAll("?", (mark) => left.shift() ?? mark))));
      }
    }
    return answers;
  };
}

/**
 * Erases what all accounts hold about the supervisor with this email address, in every spelling of their mailbox
 * (`normalizeMailbox`): facts of the audit log, saved supervisors, and emails. The name on a verified record stays, because it
 * is the technician's evidence (docs/security.md). It can be repeated, for example after an interruption.
 */
export async function eraseSupervisor(execute: ExecuteAll, address: string): Promise<Erased> {
  const mailbox = normalizeMailbox(address);
  const [stored = []] = await execute([{ sql: addressesFrom(commonStart(mailbox)), values: [] }]);
  const others = stored
    .map(({ email }) => String(email))
    .filter((email) => email !== address && normalizeMailbox(email) === mailbox);
  const addresses = [...new Set([address, ...others])]; // `oneByOne` reads them twice
  const [, accounts = [], ...erased] = await execute(
    [
      raiseRevisions(ADDRESSES),
      accountsOf(ADDRESSES),
      ...ERASURES.map(({ statement }) => statement(ADDRESSES, DOMAINS)),
    ].map((statement) => ({
      sql: `${SPELLINGS} ${statement}`,
      values: [JSON.stringify(addresses)],
    })),
  );
  const rows = ERASURES.map(({ what }, index) => `${what} (${erased[index]?.length ?? 0})`);
  const count = erased.reduce((sum, { length }) => sum + length, 0);
  return { addresses, accounts: new Set(accounts.map((row) => row.user_id)).size, count, rows: rows.join(", ") };
}

/** The addresses with this start by which the data of supervisors is found. */
function addressesFrom(start: string): string {
  const starts = (column: string) => `${column} BETWEEN ${quoted(start)} AND ${quoted(`${start}\u{10ffff}`)}`;
  return `SELECT email FROM supervisors WHERE ${starts("email")} UNION
    SELECT supervisor_email FROM verification_requests WHERE ${starts("supervisor_email")} UNION
    SELECT ${addressIn("facts")} FROM event_facts WHERE ${starts(addressIn("facts"))} UNION
    SELECT email FROM users WHERE ${starts("email")} ORDER BY 1`;
}

/**
 * Returns the address in facts about a supervisor: that of a request, or of the mailbox through which a decision came.
 * Facts about a technician have neither. An index has the same words (`event_facts_by_address`).
 */
function addressIn(facts: string): string {
  return `coalesce(${facts} ->> '$.supervisor.email', ${facts} ->> '$.mailbox')`;
}

function namesOne(facts: string, addresses: string): string {
  return `${addressIn(facts)} IN (${addresses})`;
}

/** `+id` has no type, as values in JSON: with the type of `id` the index of accounts could not be used. */
function isByAccount(addresses: string): string {
  return `facts ->> '$.accountId' IN (SELECT +id FROM users WHERE email IN (${addresses}))`;
}

/**
 * Erases the origins of openings of requests' links by the supervisor with the address, and all other openings of them
 * from the same network addresses. A request can go to another supervisor only when it is renewed: then the supervisor
 * of the last request has opened it. An event of a record's log at the time at which another request of the record was
 * made is about that one; where it is about an open request of several records, that has an event at the same time. If
 * the supervisor of the last request is unknown, it was the supervisor of the request.
 */
function eraseOpenings(addresses: string): string {
  // An own request that has ended is no longer recognized as one.
  const mayBeOwn = "(request.own_record_id IS NOT NULL OR request.ended_at IS NOT NULL)";
  const lastAsked = `(SELECT facts ->> '$.supervisor.email'
      FROM verification_items AS item JOIN verification_log AS log ON log.record_id = item.record_id
      LEFT JOIN event_facts ON event_facts.hash = log.supervisor_hash
      WHERE item.request_id = opening.request_id AND log.event = 'requested'
        AND log.at BETWEEN request.created_at AND opening.at AND NOT EXISTS (
          SELECT 1 FROM verification_items AS other JOIN verification_requests AS theirs ON theirs.id = other.request_id
          WHERE other.record_id = item.record_id AND theirs.id <> request.id AND theirs.created_at = log.at)
        AND (${mayBeOwn} OR log.at = request.created_at OR EXISTS (
          SELECT 1 FROM request_events AS asked WHERE asked.request_id = request.id AND asked.event = 'asked' AND asked.at = log.at))
      ORDER BY log.at DESC, log.number DESC LIMIT 1)`;
  const isNeverReaddressed = "request.requested_at <= request.created_at";
  // The requests that may have gone to them: by its row, or by the log of its records.
  const mayBeTheirs = `${requestsOf(addresses)} UNION
        SELECT item.request_id FROM event_facts AS facts CROSS JOIN verification_log AS log ON ${IS_FACT_OF_EVENT}
        JOIN verification_items AS item ON item.record_id = log.record_id WHERE ${namesOne("facts.facts", addresses)}`;
  return `, their_openings AS MATERIALIZED (
      SELECT opening.id, opening.request_id, opening.address
      FROM request_events AS opening JOIN verification_requests AS request ON request.id = opening.request_id
      WHERE opening.request_id IN (${mayBeTheirs}) AND coalesce(opening.address, opening.browser) IS NOT NULL
        AND iif(${isNeverReaddressed}, request.supervisor_email, coalesce(${lastAsked}, request.supervisor_email)) IN (${addresses})
    )
    UPDATE request_events SET address = NULL, browser = NULL
    WHERE coalesce(address, browser) IS NOT NULL AND (id IN (SELECT id FROM their_openings)
      OR (request_id, address) IN (SELECT request_id, address FROM their_openings))
    RETURNING id`;
}

/**
 * Returns the hashes of the facts about the supervisor: of events that name the address, of answers to a request that
 * went to it, and of later events of its records: decisions by link, because the link stays the same, unless another
 * supervisor got a request in between and neither name is theirs. Also of events with their account. The facts about
 * the technician stay. Facts that events share (of one request or answer) go for all of them.
 */
function factsOf(addresses: string): string {
  const isTheirs = (facts: string) => namesOne(facts, addresses);
  // CROSS JOIN: SQLite cannot estimate the number of spellings, and would begin with the log.
  return `WITH asked AS (
      SELECT log.record_id, log.number, facts.facts ->> '$.supervisor.name' AS name
      FROM event_facts AS facts CROSS JOIN verification_log AS log ON ${IS_FACT_OF_EVENT}
      WHERE ${isTheirs("facts.facts")}
    )
    SELECT hash FROM event_facts WHERE ${isTheirs("facts")}
    UNION SELECT hash FROM event_facts WHERE ${isByAccount(addresses)}
    UNION SELECT log.supervisor_hash FROM verification_answers AS answer
      JOIN verification_items AS item ON item.answer_id = answer.id
      JOIN verification_log AS log ON log.record_id = item.record_id AND log.at = answer.at
      WHERE answer.request_id IN (${requestsOf(addresses)}) AND log.event IN ('verified', 'declined')
    UNION SELECT own.hash FROM asked JOIN verification_log AS log
        ON log.record_id = asked.record_id AND log.number > asked.number
      JOIN event_facts AS own ON own.hash = log.supervisor_hash
      WHERE own.facts ->> '$.supervisor' IS NULL AND own.facts ->> '$.mailbox' IS NULL AND (
        asked.name IN (own.facts ->> '$.name', own.facts ->> '$.asked') OR NOT EXISTS (
          SELECT 1 FROM verification_log AS other
          JOIN event_facts AS theirs ON theirs.hash = other.supervisor_hash
          WHERE other.record_id = log.record_id AND other.number > asked.number AND other.number < log.number
            AND other.event = 'requested' AND NOT ${isTheirs("theirs.facts")}))`;
}
