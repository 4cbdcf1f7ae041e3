import { expect } from "vitest";
import { eraseSupervisor, oneByOne } from "#app/supervisors/erase-supervisor.server.ts";
import { pick, randomFrom } from "#demo/random.ts";
import { rows } from "#tests/worker/database.ts";
import { type MailApp, startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";
import { reportFigure, search } from "./figures.ts";
import { checked } from "./log-world.ts";
import { snapshotOf } from "./snapshot.ts";

/*
 * Random histories of two technicians and two supervisors, each with texts that no one else has: as they were saved, as
 * they signed, their reasons, their devices. Then one account is deleted, or one supervisor erased. No column of any
 * table has any of their texts after that, but the name on a verified record; the others' are all still there, and the
 * log verifies. Catches any place that holds such a text and is not erased: reasons of declined records were found
 * here, and where a former supervisor of a request opened its link.
 */

const wanted = Number(process.env.SAFE_ERASURES) || 2;
const first = Number(process.env.SAFE_SEED) || 1;
const app = await startMailApp();

/** The texts of a person, of whom `mark` is in each. */
function personOf(mark: string) {
  return {
    mark,
    name: `${mark} Dahl`,
    email: `${mark}@example.org`,
    phone: `+47 ${mark}`,
    company: `${mark} AS`,
    device: { "CF-Connecting-IP": `2001:db8:${mark.slice(-4)}::1`, "User-Agent": `${mark}/7` },
  };
}

type Person = ReturnType<typeof personOf>;

/** The tables and columns in which a text is, in any spelling of its letters. */
async function placesOf(text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const [table, list] of await snapshotOf(app.db)) {
    for (const row of list) {
      for (const [column, value] of Object.entries(row)) {
        if (String(value).toLowerCase().includes(text.toLowerCase())) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found].sort();
}

/** Runs random acts of one technician and their supervisors. */
async function live(on: MailApp, next: () => number, ada: Technician, me: Person, asked: Person[]): Promise<void> {
  const records = [
    ...(await ada.addEntries([{ location: `Rig ${me.mark}` }, {}, {}, {}, {}])).map(({ id }) => ({
      type: "entry",
      id,
    })),
    { type: "rope_hour", id: (await ada.addRopeHours({ skills: `Rescue ${me.mark}` })).id },
  ];
  const supervisors = new Map<number, Person>();
  for (const { mark: _, device: __, ...facts } of asked) {
    const { id } = await ada.addSupervisor(facts);
    supervisors.set(id, asked.find(({ email }) => email === facts.email) ?? me);
  }
  const links: { token: string; by: Person }[] = [];
  for (let step = 0; step < 14; step += 1) {
    const record = pick(next, records);
    const [supervisorId, by] = pick(next, [...supervisors]);
    const dice = next();
    if (dice < 0.35) {
      const call = record.type === "entry" ? "verify-request" : "verify-request-rope";
      const answer = await ada.json("POST", `/api/${call}/${record.id}`, { supervisorId });
      if (answer.status === 200)
        links.push({ token: answer.json<{ verificationToken: string }>().verificationToken, by });
    } else if (dice < 0.5) {
      const some = records.filter(() => next() < 0.5);
      const answer = await ada.json("POST", "/api/verification-requests", { supervisorId, records: some });
      if (answer.status === 201)
        links.push({ token: answer.json<{ verificationToken: string }>().verificationToken, by });
    } else if (dice < 0.6 && record.type === "entry") {
      await ada.json("PATCH", `/api/entries/${record.id}`, { hours: 1 + Math.floor(next() * 9) });
    } else if (dice < 0.65 && record.type === "entry") {
      await ada.json("DELETE", `/api/entries/${record.id}`);
    } else if (links.length > 0) {
      // The last supervisor with this link has it.
      const { token } = pick(next, links);
      const signer = links.findLast((link) => link.token === token)?.by ?? by;
      await on.get(`/verify/${token}`, signer.device);
      await on.idle();
      const body = { supervisorName: `${signer.mark} D.`, certification: { number: `No ${signer.mark}` } };
      const reason = `Ask ${signer.mark}`;
      const path = `/api/verify/${token}${next() < 0.4 ? "/decline" : ""}`;
      if (next() < 0.7)
        await on.json("POST", path, path.endsWith("decline") ? { ...body, reason } : body, signer.device);
    }
    await on.idle();
  }
  await on.tick(new Date());
  await on.idle();
  // Each writes about themself: the app cannot recognize the name of another supervisor in a reason.
  for (const { to, text } of on.mailChannels.delivered.splice(0)) {
    const [path] = text.match(/\/disown\/[\w.-]+/) ?? [];
    const by = asked.find(({ email }) => email === to);
    if (path && by && next() < 0.5) await on.json("POST", `/api${path}`, { reason: `Not ${by.mark}` }, by.device);
  }
  await on.idle();
}

const NAMES = ["records.search", "records.verified_by"];

search(
  `in ${wanted} histories nothing personal is left of a deleted account or of an erased supervisor`,
  {
    timeout: 10 * 60_000 + wanted * 20_000,
  },
  async () => {
    let texts = 0;
    for (let seed = first; seed < first + wanted; seed += 1) {
      const next = randomFrom(seed);
      const people = ["ada", "bob", "kari", "ola"].map((name, n) =>
        personOf(`${name}x${(seed * 8 + n).toString(16).padStart(4, "0")}`),
      );
      const [ada, bob, kari, ola] = people;
      if (!ada || !bob || !kari || !ola) throw new Error("there are four people");
      const technicians = [];
      for (const me of [ada, bob]) {
        const technician = await app.register({ email: me.email, name: me.name, employeeNumber: `No-${me.mark}` });
        await live(app, next, technician, me, [kari, ola]);
        technicians.push(technician);
      }
      texts += (await placesOf(kari.mark)).length;

      await eraseSupervisor(
        oneByOne((sql) => rows(app.db, sql)),
        kari.email,
      );
      const left = await placesOf(kari.mark);
      expect([seed, left.filter((place) => !NAMES.includes(place))]).toEqual([seed, []]);
      expect([seed, await placesOf(kari.device["CF-Connecting-IP"])]).toEqual([seed, []]);
      expect([seed, (await placesOf(ola.email)).includes("supervisors.email")]).toEqual([seed, true]);

      texts += (await placesOf(ada.mark)).length;
      const deleted = await technicians[0]?.json("DELETE", "/api/user", { password: PASSWORD });
      expect([seed, deleted?.status]).toEqual([seed, 200]);
      await app.idle();
      expect([seed, await placesOf(ada.mark)]).toEqual([seed, []]);
      expect([seed, (await placesOf(bob.mark)).includes("users.email")]).toEqual([seed, true]);
      expect([seed, (await checked(app.db)).faults]).toEqual([seed, []]);
    }
    expect(texts).toBeGreaterThan(wanted * 10);
    reportFigure("Personal data after erasure", `0 bytes in ${wanted} histories, of ${texts} columns that had some`);
  },
);
