import { entryKind } from "#app/records/entry/entry.kind.ts";
import { shownHash } from "#app/records/record-hash.server.ts";
import { KINDS, type Word } from "./access/cells.ts";
import type { App } from "./app.ts";
import { rows } from "./database.ts";
import { NEW_PASSWORD, PASSWORD } from "./people.ts";
import { SIGNING_KEY } from "./signing-key.ts";
import { type World, worldOf } from "./world.ts";

/** A world in which every typed word identifies its owner, and every secret is known. */
export interface MarkedWorld extends World {
  words: Record<Word, string>;
  /** Secrets that no response may show: passwords and their hashes, session ids, nonces, hashes of tokens. */
  secrets: string[];
  /** Secrets that only the owner, or a person with the link, may see. */
  tokens: {
    inbox: string;
    disown: string;
    confirm: string;
    unsubscribe: string;
    open: string;
    used: string;
    reset: string;
    change: string;
    export: string;
  };
}

const PEOPLE = ["owner", "other", "admin"] as const;

/** Creates a world in place of the previous one. */
export async function markedWorldOf(app: App): Promise<MarkedWorld> {
  await app.db.prepare("DELETE FROM users").run();
  const world = await worldOf(app);
  const mark = crypto.randomUUID().slice(0, 8);
  const words = {} as Record<Word, string>; // filled by the next line
  for (const who of PEOPLE) for (const kind of KINDS) words[`${who} ${kind}`] = `${who}${kind}${mark}`;
  const nonce = `nonce${mark}`;
  const update = (table: string, where: string, values: Record<string, unknown>) =>
    app.db
      .prepare(`UPDATE ${table} SET ${Object.keys(values).map((name) => `${name} = ?`)} WHERE ${where}`)
      .bind(...Object.values(values));
  await app.db.batch([
    ...PEOPLE.flatMap((who) => {
      const { id } = world[who].user;
      const [email, name, rest, supervisor] = (["email", "name", "rest", "supervisor"] as const).map(
        (kind) => words[`${who} ${kind}`],
      );
      const theirs = `user_id = ${id} AND verified = 0`;
      return [
        update("users", `id = ${id}`, { email: `${email}@example.com`, name, employee_number: `${name}-7` }),
        update("supervisors", `user_id = ${id}`, {
          name: supervisor,
          email: `${supervisor}@example.org`,
          phone: supervisor,
          company: supervisor,
        }),
        update("records", `${theirs} AND id <> ${world.entryId} AND location IS NOT NULL`, { location: rest }),
        update("records", `${theirs} AND kind = 'training'`, {
          fields: JSON.stringify({ course: rest, organization: rest }),
        }),
        update("records", `${theirs} AND kind = 'certificate'`, {
          standard: rest,
          fields: JSON.stringify({ title: rest, issuer: rest }),
        }),
        update("records", `${theirs} AND kind = 'rope_hour'`, { fields: JSON.stringify({ skills: rest }) }),
        update("targets", `user_id = ${id}`, { title: rest, source: rest }),
      ];
    }),
    update("records", `id = ${world.entryId}`, { location: words["owner record"] }),
    update("users", `id = ${world.otherId}`, { reset_nonce: nonce }),
    update("account_links", `user_id = ${world.otherId} AND purpose = 'change'`, {
      nonce,
      old_email: `${words["other email"]}@example.com`,
    }),
    ...(await again(app.db, world.verifiedId, { location: words["owner record"] })),
    ...(await again(app.db, world.verifiedRopeId, { location: words["owner rest"] })),
    update("exports", `user_id = ${world.owner.user.id}`, { name: words["owner name"] }),
    app.db
      .prepare("UPDATE export_records SET content = json_set(content, '$.location', ?) WHERE export_id = ?")
      .bind(words["owner record"], world.exportId),
    // A record without an open dialog or link.
    app.db
      .prepare(
        `INSERT INTO records (user_id, kind, date, location, method, hours, search, created_at)
          VALUES (?, 'entry', '2026-11-01', ?, 'PT', 100, '', 0)`,
      )
      .bind(world.owner.user.id, words["owner rest"]),
  ]);
  for (const who of PEOPLE) world[who].user.email = `${words[`${who} email`]}@example.com`;
  const tokens = {
    ...{
      inbox: world.inboxToken,
      disown: world.disownToken,
      confirm: world.confirmToken,
      unsubscribe: world.unsubscribeToken,
    },
    open: world.token,
    used: world.usedToken,
    reset: world.resetToken,
    change: world.changeToken,
    export: world.exportCode,
  };
  const shown = shownHash(
    entryKind,
    {
      id: world.entryId,
      owner: world.ownerValue,
      createdAt: world.loggedAt(world.entryId),
      date: "2026-11-19",
      location: words["owner record"],
      method: "MT",
      hours: 7.5,
    },
    { name: words["owner name"], employeeNumber: `${words["owner name"]}-7` },
  );
  return { ...world, shown, words, tokens, secrets: [nonce, ...(await secretsOf(app, world))] };
}

/** Inserts a verified record with other words, and the items that go with it: no UPDATE may change a verified one. */
async function again(db: D1Database, id: number, over: Record<string, unknown>) {
  const [row] = await rows(db, "SELECT * FROM records WHERE id = ?", id);
  const items = await rows(db, "SELECT * FROM verification_items WHERE record_id = ?", id);
  const insert = (table: string, values: Record<string, unknown>) => {
    const names = Object.keys(values);
    return db
      .prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`)
      .bind(...Object.values(values));
  };
  return [
    db.prepare("DELETE FROM records WHERE id = ?").bind(id),
    insert("records", { ...row, ...over }),
    ...items.map((item) => insert("verification_items", item)),
  ];
}

async function secretsOf(app: App, world: World): Promise<string[]> {
  const stored = await rows<{ secret: string }>(
    app.db,
    `SELECT id AS secret FROM sessions UNION SELECT reset_token FROM users WHERE reset_token IS NOT NULL
      UNION SELECT token FROM account_links UNION SELECT hash FROM api_tokens`,
  );
  const sessions = PEOPLE.flatMap((who) => {
    const cookie = decodeURIComponent(world[who].cookies.get("session") ?? "");
    return [cookie, String(JSON.parse(atob(cookie)))]; // Remix encodes a value as JSON in base64
  });
  const { d } = JSON.parse(SIGNING_KEY);
  const { readToken, writeToken, serviceToken } = world;
  return [
    PASSWORD,
    NEW_PASSWORD,
    "$scrypt$",
    SESSION_SECRET,
    d,
    readToken,
    writeToken,
    serviceToken,
    ...sessions,
    ...stored.map(({ secret }) => secret),
  ];
}

/** `startApp`'s. */
const SESSION_SECRET = "a secret for tests, of 32 bytes and more";
