import { hashLinkToken } from "#app/accounts/link-token.server.ts";
import { unsubscribeUrl } from "#app/mail/suppression.server.ts";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { inboxToken } from "#app/supervisor-mail/inbox.server.ts";
import { noticeToken } from "#app/supervisor-mail/notice.server.ts";
import { ownRequests, withTokens } from "#demo/own-requests.ts";
import { restore, snapshotOf } from "#tests/safe/snapshot.ts";
import type { App } from "./app.ts";
import { ownerOf, rows } from "./database.ts";
import { openEmailChange, openReset } from "./open-links.ts";
import type { Technician } from "./people.ts";
import { snapshotOfEntry, storedExport } from "./stored-export.ts";
import { targetStatements } from "./targets.ts";
import { insertToken } from "./tokens.ts";

/** The users and records that exist when a call is made: created again for each test. */
export interface World {
  owner: Technician;
  other: Technician;
  /** The user for calls that only admins may make. */
  admin: Technician;
  adminId: number;
  otherId: number;
  /** The owner's: an entry with an open link, a verified one, and a supervisor. */
  entryId: number;
  token: string;
  verifiedId: number;
  usedToken: string;
  /** The hash of the record that the open link shows. */
  shown: string;
  /** The owner's value in the hashes of their records. */
  ownerValue: string;
  /** When a record was logged. */
  loggedAt(id: number): Date;
  supervisorId: number;
  targetId: number;
  /** The owner's rope hours: with an open link, and verified. */
  ropeId: number;
  verifiedRopeId: number;
  /** Training and certificates: the owner's, unverified, verified and just deleted, and the other technician's. */
  training: EvidenceIds;
  certificate: EvidenceIds;
  /** The other technician's. */
  othersEntryId: number;
  othersRopeId: number;
  othersSupervisorId: number;
  othersTargetId: number;
  /** The owner's imports: one that is not applied, and one that is. */
  importId: number;
  appliedImportId: number;
  /** Just deleted: the owner's, and the other technician's. */
  deletedId: number;
  deletedRopeId: number;
  othersDeletedId: number;
  /** The owner's requests: of the open link, made a day ago, and of the used one. */
  requestId: number;
  endedRequestId: number;
  /** The owner's export of the verified entry. */
  exportId: number;
  exportCode: string;
  /**
   * The tokens of the pages that the supervisor of the used link gets: the open requests (none), the records to disown,
   * no more emails.
   */
  inboxToken: string;
  disownToken: string;
  confirmToken: string;
  unsubscribeToken: string;
  /** The token of the other technician's open reset link. */
  resetToken: string;
  /** The token of the other technician's open change of the email address. */
  changeToken: string;
  /** References of a second session of each of the two. */
  ownSession: string;
  othersSession: string;
  /** The owner's API tokens, and the other technician's. */
  readToken: string;
  writeToken: string;
  readTokenId: number;
  othersTokenId: number;
  /** The admin's service token. */
  serviceToken: string;
  serviceTokenId: number;
  /** An address without an account. */
  freshEmail: string;
  /** Emails to the owner: one that failed, and one that was sent. */
  failedEmailId: number;
  sentEmailId: number;
}

interface EvidenceIds {
  id: number;
  verifiedId: number;
  deletedId: number;
  othersId: number;
}

const NOW = Date.now();
const VERIFIER = "Ola Hansen";
const UPLOADED = "Date,Location,Method,Hours\n2026-11-02,Rig,PT,2";

/**
 * Creates a world once, and returns what gives it to each test as it was created: the database is put back, and so are the
 * sessions of its people. A world for each test would take four times as long, in a database that grows with each.
 */
export async function sameWorldFor(app: App): Promise<() => Promise<World>> {
  const world = await worldOf(app);
  const sessions = [world.owner, world.other, world.admin].map(({ cookies }) => [cookies, new Map(cookies)] as const);
  const before = await snapshotOf(app.db);
  return async () => {
    await app.idle(); // nothing of the last test is still being stored
    await restore(app.db, before);
    for (const [cookies, original] of sessions) {
      cookies.clear();
      for (const [name, value] of original) cookies.set(name, value);
    }
    return world;
  };
}

/** Creates a world in as few statements as possible. */
export async function worldOf(app: App): Promise<World> {
  const [owner, other, admin] = await app.registerAll({}, {}, { isAdmin: true });
  if (!owner || !other || !admin) throw new Error("three accounts were asked for");
  const [token, usedToken] = [crypto.randomUUID(), crypto.randomUUID()];
  const entry = (user: Technician, date: string, verifier: string | null) =>
    app.db
      .prepare(
        `INSERT INTO records (user_id, kind, date, location, method, hours, verified, verified_by, verified_at,
          verified_via, search, created_at)
          VALUES (?, 'entry', ?, 'Mongstad', 'MT', 750, ?, ?, ?, ?, '', ?) RETURNING id`,
      )
      .bind(user.user.id, date, ...verification(verifier), NOW);
  const rope = ({ user }: Technician, startDate: string, verifier: string | null) =>
    app.db
      .prepare(
        `INSERT INTO records (user_id, kind, date, end_date, location, fields, hours, verified, verified_by, verified_at,
          verified_via, search, created_at)
          VALUES (?, 'rope_hour', ?, '2026-11-21', 'Rig', '{"skills":"Rescue"}', 750, ?, ?, ?, ?, '', ?) RETURNING id`,
      )
      .bind(user.id, startDate, ...verification(verifier), NOW);
  const training = ({ user }: Technician, verifier: string | null) =>
    app.db
      .prepare(
        `INSERT INTO records (user_id, kind, date, end_date, fields, hours, verified, verified_by, verified_at, verified_via,
          search, created_at)
          VALUES (?, 'training', '2026-03-02', '2026-03-06', '{"course":"UT","organization":"NI"}', 1600, ?, ?, ?, ?, '', ?)
          RETURNING id`,
      )
      .bind(user.id, ...verification(verifier), NOW);
  const certificate = ({ user }: Technician, verifier: string | null) =>
    app.db
      .prepare(
        `INSERT INTO records (user_id, kind, date, subtype, standard, fields, verified, verified_by, verified_at, verified_via, search,
          created_at)
          VALUES (?, 'certificate', '2026-02-01', 'certificate', 'PCN', '{"title":"UT","issuer":"NI"}', ?, ?, ?, ?, '', ?)
          RETURNING id`,
      )
      .bind(user.id, ...verification(verifier), NOW);
  const supervisor = ({ user }: Technician) =>
    app.db
      .prepare(
        `INSERT INTO supervisors (user_id, name, email, mailbox, phone, certification_level, company, created_at)
          VALUES (?, ?, 'saved@example.org', 'saved@example.org', '555', 'Level III', 'Fjord', ?) RETURNING id`,
      )
      .bind(user.id, VERIFIER, NOW);
  const [ownSession, othersSession] = [newReference(), newReference()];
  const session = ({ user }: Technician, reference: string) =>
    app.db
      .prepare("INSERT INTO sessions (id, user_id, created_at, expires_at, reference) VALUES (?, ?, ?, ?, ?)")
      .bind(hashLinkToken(reference), user.id, NOW - 1, NOW + 3_600_000, reference);
  const upload = ({ user }: Technician, isOpen: boolean) =>
    app.db
      .prepare(
        `INSERT INTO imports (user_id, kind, content, mapping, created_at, applied_at, created, skipped)
          VALUES (?, 'entry', ?, '["date","location","method","hours"]', ?, ?, ?, ?) RETURNING id`,
      )
      .bind(user.id, isOpen ? UPLOADED : "", NOW, isOpen ? null : NOW, isOpen ? null : 0, isOpen ? null : 0);
  const resetToken = crypto.randomUUID();
  await openReset(app.db, other.user.id, resetToken);
  const changeToken = crypto.randomUUID();
  await openEmailChange(app.db, other.user, changeToken);
  const made = await app.db.batch<{ id: number }>([
    entry(owner, "2026-11-19", null),
    entry(owner, "2026-11-20", VERIFIER),
    supervisor(owner),
    entry(other, "2026-11-20", null),
    supervisor(other),
    rope(owner, "2026-11-19", null),
    rope(owner, "2026-11-20", VERIFIER),
    rope(other, "2026-11-20", null),
    entry(owner, "2026-11-18", null),
    rope(owner, "2026-11-18", null),
    entry(other, "2026-11-18", null),
    session(owner, ownSession),
    session(other, othersSession),
    upload(owner, true),
    upload(owner, false),
    ...targetStatements(app.db, owner.user.id),
    ...targetStatements(app.db, other.user.id),
  ]);
  const ids = made.map(({ results }) => results[0]?.id);
  const evidence = await app.db.batch<{ id: number }>(
    [training, certificate].flatMap((add) => [
      add(owner, null),
      add(owner, VERIFIER),
      add(owner, null),
      add(other, null),
    ]),
  );
  const evidenceIds = (start: number): EvidenceIds => {
    const [id = 0, verifiedId = 0, deletedId = 0, othersId = 0] = evidence
      .slice(start, start + 4)
      .map(({ results }) => results[0]?.id ?? 0);
    return { id, verifiedId, deletedId, othersId };
  };
  const ofEvidence = { training: evidenceIds(0), certificate: evidenceIds(4) };
  const [entryId = 0, verifiedId = 0, supervisorId = 0, othersEntryId = 0, othersSupervisorId = 0, ...ropes] = ids;
  const [ropeId = 0, verifiedRopeId = 0, othersRopeId = 0, deletedId = 0, deletedRopeId = 0, othersDeletedId = 0] =
    ropes;
  const [importId = 0, appliedImportId = 0, targetId = 0, , othersTargetId = 0] = ids.slice(-6);
  const exported = storedExport(app.db, owner.user.id, snapshotOfEntry(verifiedId, "The owner", "Mongstad"));
  const links = withTokens([
    [entryId, token],
    [verifiedId, usedToken],
    [ropeId, crypto.randomUUID()],
  ]);
  await app.db.batch([
    ...exported.statements,
    ...ownRequests(links, NOW).map((sql) => app.db.prepare(sql)),
    ...[
      ...[deletedId, othersDeletedId, deletedRopeId],
      ...[ofEvidence.training.deletedId, ofEvidence.certificate.deletedId],
    ].map((id) => app.db.prepare("UPDATE records SET deleted_at = ? WHERE id = ?").bind(NOW, id)),
  ]);
  const requestIds = await Promise.all([token, usedToken].map((one) => requestOf(app.db, one)));
  const [requestId = 0, endedRequestId = 0] = requestIds;
  const [failed, sent] = await app.db.batch<{ id: number }>(
    ["'failed', 'refused'", "'sent', NULL"].map(
      (state) =>
        app.db
          .prepare(
            `INSERT INTO outbox (kind, user_id, state, reason, attempts, created_at, ended_at)
            SELECT 'password_changed', ?1, ${state}, 1, ?2, ?2 RETURNING id`,
          )
          .bind(owner.user.id, NOW - 3_600_000), // so that the change of the password is not one of a moment ago
    ),
  );
  const notices = await noticeTokens(app.db, endedRequestId);
  const [read, write, others, service] = [
    await insertToken(app.db, owner.user.id, "read"),
    await insertToken(app.db, owner.user.id, "write"),
    await insertToken(app.db, other.user.id, "write"),
    await insertToken(app.db, admin.user.id, "read", true),
  ];
  const freshEmail = `fresh-${owner.user.id}@example.com`;
  const ownerValue = await ownerOf(app.db, owner.user.id);
  const work = { date: "2026-11-19", location: "Mongstad", method: "MT", hours: 7.5 } as const;
  const logged = await rows<{ id: number; at: number }>(app.db, "SELECT id, created_at AS at FROM records");
  const loggedAt = (id: number) => new Date(logged.find((record) => record.id === id)?.at ?? 0);
  return {
    ownerValue,
    loggedAt,
    shown: shownHash(entryKind, { id: entryId, owner: ownerValue, createdAt: loggedAt(entryId), ...work }, owner.user),
    owner,
    other,
    admin,
    adminId: admin.user.id,
    otherId: other.user.id,
    token,
    usedToken,
    freshEmail,
    entryId,
    verifiedId,
    supervisorId,
    othersEntryId,
    othersSupervisorId,
    targetId,
    othersTargetId,
    ropeId,
    verifiedRopeId,
    ...ofEvidence,
    othersRopeId,
    resetToken,
    changeToken,
    ownSession,
    othersSession,
    failedEmailId: failed?.results[0]?.id ?? 0,
    sentEmailId: sent?.results[0]?.id ?? 0,
    deletedId,
    deletedRopeId,
    othersDeletedId,
    requestId,
    endedRequestId,
    exportId: exported.id,
    exportCode: exported.code,
    importId,
    appliedImportId,
    ...notices,
    readToken: read.token,
    writeToken: write.token,
    readTokenId: read.id,
    othersTokenId: others.id,
    serviceToken: service.token,
    serviceTokenId: service.id,
  };
}

/** `SESSION_SECRET` of `startApp`. */
export const SECRET = "a secret for tests, of 32 bytes and more";

/**
 * Sends the supervisor of an answered request, who has an address of their own, the notice of the verifications in
 * their name.
 */
async function noticeTokens(db: D1Database, requestId: number) {
  const address = "nobody-waits@example.org";
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const day = 24 * 60 * 60 * 1000;
  await db.batch([
    db.prepare("UPDATE verification_requests SET supervisor_email = ? WHERE id = ?").bind(address, requestId),
    db
      .prepare("INSERT INTO supervisor_notices (recipient, nonce, created_at, expires_at) VALUES (?, ?, ?, ?)")
      .bind("b".repeat(64), nonce, NOW, NOW + 90 * day),
    db
      .prepare(
        `INSERT INTO verification_answers (request_id, name, via, at, notice_id)
          SELECT ?, ?, 'link', ?, id FROM supervisor_notices WHERE nonce = ?`,
      )
      .bind(requestId, VERIFIER, NOW, nonce),
    db
      .prepare(
        `UPDATE verification_items SET answer_id = (SELECT id FROM verification_answers WHERE request_id = ?1)
          WHERE request_id = ?1`,
      )
      .bind(requestId),
  ]);
  const [notice] = await rows<{ id: number }>(db, "SELECT id FROM supervisor_notices WHERE nonce = ?", nonce);
  return {
    disownToken: noticeToken(SECRET, "disown", { id: notice?.id ?? 0, nonce }),
    confirmToken: noticeToken(SECRET, "confirm", { id: notice?.id ?? 0, nonce }),
    inboxToken: inboxToken(SECRET, { id: requestId, supervisorEmail: address }, new Date(NOW + day)),
    unsubscribeToken: unsubscribeUrl({ origin: "", secret: SECRET }, address).slice("/unsubscribe/".length),
  };
}

/** The id of the request with this token. Its email can be sent again. */
async function requestOf(db: D1Database, token: string): Promise<number> {
  const day = 24 * 60 * 60 * 1000;
  const [found] = await rows<{ id: number }>(
    db,
    "UPDATE verification_requests SET created_at = created_at - ?, requested_at = requested_at - ? WHERE token = ? RETURNING id",
    ...[day, day, token],
  );
  return found?.id ?? 0;
}

/** `verified`, `verified_by`, `verified_at` and `verified_via` of a record. */
function verification(verifier: string | null): (string | number | null)[] {
  return verifier ? [1, verifier, NOW, "link"] : [0, null, null, null];
}

function newReference(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}
