import { pick } from "#demo/random.ts";
import { ACCOUNT_ACTS } from "./intruder-account-actions.ts";
import { type Act, type Intruder, readMail, some } from "./mailbox-world.ts";

/** A link with its secret as it was seen, or any known link with any known secrets: of another link, several, none. */
function link({ next, known }: Intruder): string | null {
  if (next() < 0.4 && known.links.size > 0) return pick(next, [...known.links]);
  const token = some(next, [...known.tokens]);
  if (!token) return null;
  const secret = () => some(next, [...known.secrets]) ?? "x";
  const parameters = pick(next, [[], [secret()], [secret()], [secret()], [secret(), secret()]]);
  return `/verify/${token}${parameters.length > 0 ? `?${parameters.map((m) => `m=${m}`).join("&")}` : ""}`;
}

/** Answers a link by its call or its page, signed out or in an own account. */
const answer: Act = async (intruder) => {
  const { next, anonymous, accounts } = intruder;
  const path = link(intruder);
  const browser = pick(next, [anonymous, anonymous, accounts[0]?.browser ?? anonymous]);
  if (!path) return;
  if (next() < 0.6) return browser.json("POST", `/api${path}`, { supervisorName: "The Boss" });
  const page = await browser.get(path);
  const form = page.text.match(/<form[^>]*action="([^"]*verify[^"]*)"/)?.[1]?.replaceAll("&amp;", "&");
  if (page.status === 200 && form) return browser.submit(page, form, { supervisorName: "The Boss" });
};

/** Asks a supervisor about a record: also another one than before, whose request then has the same link. */
const ask: Act = async ({ next }, { browser, entries, supervisors }) =>
  browser.json("POST", `/api/verify-request/${some(next, entries) ?? 0}`, {
    supervisorId: some(next, supervisors) ?? 0,
  });

/** Gets the secret of an own mailbox, sends the request on to a foreign one, and answers with the old secret. */
const sendOn: Act = async (intruder, { browser, entries, supervisors }) => {
  const { next, known, anonymous } = intruder;
  const id = some(next, entries) ?? 0;
  for (const supervisorId of supervisors) {
    await browser.json("POST", `/api/verify-request/${id}`, { supervisorId });
    await readMail(intruder);
  }
  const path = [...known.links].at(-1);
  if (path && next() < 0.7) return anonymous.json("POST", `/api${path}`, { supervisorName: "The Boss" });
};

/** Asks the account's own mailbox in another spelling, reads the email there, and answers with its link. */
const askOwnAlias: Act = async (intruder, { browser, entries, supervisors, email }) => {
  const { next, known, anonymous } = intruder;
  const alias = pick(next, [email.replace("@", "+boss@"), email.replace("@", "+@"), email.toUpperCase(), email]);
  const supervisorId = some(next, supervisors) ?? 0;
  await browser.json("PATCH", `/api/supervisors/${supervisorId}`, { email: alias });
  await browser.json("POST", `/api/verify-request/${some(next, entries) ?? 0}`, { supervisorId });
  await readMail(intruder);
  const path = [...known.links].at(-1);
  if (path) return anonymous.json("POST", `/api${path}`, { supervisorName: "The Boss" });
};

const ACTS: Record<string, [weight: number, act: Act]> = {
  ...ACCOUNT_ACTS,
  answer: [6, answer],
  ask: [4, ask],
  "read their mail": [4, readMail],
  "send a request on": [2, sendOn],
  "ask an own alias": [2, askOwnAlias],
  "ask for several": [
    2,
    async ({ next }, { browser, entries, supervisors, requests }) => {
      const records = entries.map((id) => ({ type: "entry", id }));
      const made = await browser.json("POST", "/api/verification-requests", {
        supervisorId: some(next, supervisors) ?? 0,
        records,
      });
      if (made.status === 201) requests.push(made.json<{ id: number }>().id);
    },
  ],
  "change a supervisor's address": [
    2,
    async ({ next, own, foreign }, { browser, supervisors, email: account }) => {
      const aliases = [account.replace("@", "+boss@"), account.replace("@", "+@")];
      const email = pick(
        next,
        [...own, ...aliases, ...foreign, ...foreign].map((one) => (next() < 0.2 ? one.toUpperCase() : one)),
      );
      return browser.json("PATCH", `/api/supervisors/${some(next, supervisors) ?? 0}`, { email });
    },
  ],
  "ask by the page": [
    1,
    async ({ next }, { browser, entries, supervisors }) => {
      const id = some(next, entries) ?? 0;
      const supervisor = String(some(next, supervisors) ?? 0);
      await browser.post(`/profile/request/${id}/${crypto.randomUUID()}`, { supervisor });
      return browser.get(`/profile?request=${id}&link=1`);
    },
  ],
  "look at a page": [
    2,
    async ({ next, known }, { browser, entries, requests }) => {
      const [id, request, token] = [some(next, entries), some(next, requests), some(next, [...known.tokens])];
      const paths = [`/profile/record/${id}`, `/success?token=${token}`, "/requests", "/profile/print", "/profile"];
      const calls = [`/api/entries/${id}/verification`, "/api/verification-requests", `/api/verify/${token}`];
      return browser.get(pick(next, [...paths, ...calls, ...(request ? [`/requests/${request}`] : [])]));
    },
  ],
  "look into an inbox": [
    3,
    async (intruder) => {
      const { next, own, foreign, anonymous } = intruder;
      await anonymous.json("POST", "/api/supervisor-inbox", { email: pick(next, [...own, ...own, ...foreign]) });
      await readMail(intruder);
      const inbox = [...intruder.known.paths].findLast((path) => path.startsWith("/inbox/"));
      if (inbox) await anonymous.get(inbox);
    },
  ],
  "wait for a day, and send again": [
    1,
    async ({ next, app }, { browser, user, requests }) => {
      const day = 86_400_000;
      await app.db
        .prepare(
          "UPDATE verification_requests SET requested_at = requested_at - ?1, remind_at = remind_at - 6 * ?1 WHERE user_id = ?2",
        )
        .bind(day, user)
        .run();
      return browser.json("POST", `/api/verification-requests/${some(next, requests) ?? 0}/remind`);
    },
  ],
  "withdraw or edit": [
    1,
    async ({ next }, { browser, entries, requests }) => {
      const id = some(next, entries) ?? 0;
      const request = some(next, requests);
      if (request && next() < 0.3) return browser.json("DELETE", `/api/verification-requests/${request}`);
      return next() < 0.5
        ? browser.json("DELETE", `/api/verify-request/${id}`)
        : browser.json("PATCH", `/api/entries/${id}`, { hours: 1 + Math.floor(next() * 20) });
    },
  ],
  "log an entry": [
    1,
    async (_intruder, { browser, entries }) => {
      const made = await browser.json("POST", "/api/entries", {
        date: "2026-11-20",
        location: "Rig",
        method: "MT",
        hours: 8,
      });
      if (made.status === 201) entries.push(...made.json<{ id: number }[]>().map(({ id }) => id));
    },
  ],
};

const BAG = Object.entries(ACTS).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));

/** Mostly an account first asks a supervisor with an own address and one with a foreign address. */
export async function begin(intruder: Intruder): Promise<void> {
  const { next, accounts, trace } = intruder;
  if (next() >= 0.2) {
    const account = pick(next, accounts);
    trace.push(`ask both (account ${accounts.indexOf(account)})`);
    for (const [number, supervisorId] of account.supervisors.entries()) {
      await account.browser.json("POST", `/api/verify-request/${account.entries[number]}`, { supervisorId });
    }
  }
  intruder.acts = 3 + Math.floor(next() * 5);
}

/** Does one random thing, and notes it in the trace. */
export async function act(intruder: Intruder): Promise<void> {
  const name = pick(intruder.next, BAG);
  const account = pick(intruder.next, intruder.accounts);
  intruder.acts -= 1;
  intruder.trace.push(`${name} (account ${intruder.accounts.indexOf(account)})`);
  await ACTS[name]?.[1](intruder, account);
}
