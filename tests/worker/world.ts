import type { App } from "./app.ts";
import type { Technician } from "./people.ts";

/** Who and what there is when a call is made: made anew for each test. */
export interface World {
  owner: Technician;
  other: Technician;
  /** The owner's: an entry with an open link, a verified one, and a supervisor. */
  entryId: number;
  token: string;
  verifiedId: number;
  usedToken: string;
  supervisorId: number;
  /** The other technician's. */
  othersEntryId: number;
  othersSupervisorId: number;
  /** An address that nobody has registered. */
  freshEmail: string;
}

const NOW = Date.now();
const VERIFIER = "Ola Hansen";

/** Makes a world with as few statements as will do: there is one for each test of each call. */
export async function worldOf(app: App): Promise<World> {
  const [owner, other] = [await app.register(), await app.register()];
  const [token, usedToken] = [crypto.randomUUID(), crypto.randomUUID()];
  const entry = (user: Technician, date: string, link: string | null, verifier: string | null) =>
    app.db
      .prepare(
        `INSERT INTO entries (user_id, date, location, method, hours, verification_token, verified, verified_by,
          verified_at, search, created_at) VALUES (?, ?, 'Mongstad', 'MT', 7.5, ?, ?, ?, ?, '', ?) RETURNING id`,
      )
      .bind(user.user.id, date, link, verifier ? 1 : 0, verifier, verifier ? NOW : null, NOW);
  const supervisor = ({ user }: Technician) =>
    app.db
      .prepare(
        `INSERT INTO supervisors (user_id, name, email, phone, certification_level, company, created_at)
          VALUES (?, ?, 'ola@example.org', '555', 'Level III', 'Fjord', ?) RETURNING id`,
      )
      .bind(user.id, VERIFIER, NOW);
  const made = await app.db.batch<{ id: number }>([
    entry(owner, "2026-11-19", token, null),
    entry(owner, "2026-11-20", usedToken, VERIFIER),
    supervisor(owner),
    entry(other, "2026-11-20", null, null),
    supervisor(other),
  ]);
  const [entryId = 0, verifiedId = 0, supervisorId = 0, othersEntryId = 0, othersSupervisorId = 0] = made.map(
    ({ results }) => results[0]?.id,
  );
  const freshEmail = `fresh-${owner.user.id}@example.com`;
  return {
    ...{ owner, other, token, usedToken, freshEmail },
    ...{ entryId, verifiedId, supervisorId, othersEntryId, othersSupervisorId },
  };
}
