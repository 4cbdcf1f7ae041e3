import { expect, test } from "vitest";
import type { Answer, Client } from "#tests/worker/client.ts";
import { count } from "#tests/worker/database.ts";
import { textOf } from "#tests/worker/html.ts";
import { startMailApp } from "#tests/worker/mail.ts";
import { worldOf } from "#tests/worker/world.ts";
import type { Action } from "./action.ts";
import { ACTIONS } from "./actions.ts";
import { reportFigureAtEnd, search } from "./figures.ts";
import { READS } from "./reads.ts";
import { listRoutes, routeAt } from "./routes.ts";
import { changes, restore, snapshotOf } from "./snapshot.ts";

/*
 * D1 fails at its k-th call, for every k and every action: before the call takes effect, after it (the response is
 * lost), or from then on for good. In each case the database holds all of the action or nothing, the user reads the
 * specification's message and loses no typed value, and trying again leads to the result of one request, without a
 * second email.
 * Seen to fail here: a batch that is not a transaction (half of it was stored); an API call that says "nothing was
 * changed" when its response was lost; a verification request without its key (a second email); a form whose session
 * check ran outside of its error handling.
 */

const isLong = Boolean(process.env.SAFE);
/** A permanent failure is like a single one, except that the page behind the form finds no database either. */
const HOW = isLong ? ["before", "after", "on"] : ["before", "after"];

const app = await startMailApp();
const world = await worldOf(app);
const before = await snapshotOf(app.db);

async function begin() {
  await restore(app.db, before);
  app.mailChannels.reset();
}

/** The difference to the state before, once every email has ended. */
async function changed(): Promise<string[]> {
  for (;;) {
    const open = await count(app.db, "outbox", "due_at IS NOT NULL");
    if (open === 0) return changes(before, await snapshotOf(app.db));
  }
}

/** The page that a user ends up on after all redirects. */
async function landing(client: Client, answer: Answer): Promise<Answer> {
  const next = answer.location ? await client.follow(answer) : answer;
  return next.location ? client.follow(next) : next;
}

const wordless = /\bat \w+ \(|node_modules|D1_ERROR|network connection|SELECT|INSERT|undefined|\[object/;

/** As `textOf` returns a text. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Returns what is wrong with the way a failure is reported. */
function mistakes(action: Action, page: Answer): string[] {
  const text = action.isApi ? page.text : textOf(page.text);
  const found = wordless.test(text) ? [`it shows what went wrong inside: ${text.slice(0, 200)}`] : [];
  if (action.isApi) {
    const { message } = page.json<{ message?: string }>();
    if (!message || /nothing was changed/i.test(message)) found.push(`its message is ${message}`);
    return found;
  }
  const { says = [], keeps = {} } = action;
  if (/Nothing was changed/.test(text)) found.push("it says that nothing was changed, which is not known");
  if (!action.backKeeps && text.includes("Go back:")) found.push("it promises what the browser does not keep");
  if (!says.some((words) => text.includes(words))) found.push(`it does not say ${says}: ${text.slice(0, 200)}`);
  const isForm = page.text.includes("<form") && page.text.includes('method="post"');
  const lost = Object.values(keeps).filter(
    (value) => !page.text.includes(`"${value}"`) && !text.includes(inOneLine(value)),
  );
  if (lost.length > 0 && (isForm || !action.backKeeps || !text.includes("Go back: what you typed is still there."))) {
    found.push(`it lost ${lost}: ${text.slice(0, 200)}`);
  }
  return found;
}

/** Actions without a database call. */
const WITHOUT = [
  "GET logout",
  "GET account/email/resend",
  "GET account/sessions",
  "GET account/end-token",
  "GET admin/end-token",
  "GET inbox",
  "GET check",
  "GET api/openapi.json",
  "GET *",
];

test("every method of every route is covered: a new one needs a row in actions.ts or reads.ts", async () => {
  const routes = await listRoutes();
  const sent = [...ACTIONS, ...READS.map((read) => ({ ...read, method: "GET" }))];
  const tried = sent.map(({ method, path }) => `${method} ${routeAt(routes, path(world))?.path}`);
  const all = routes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
  expect(all.filter((one) => !tried.includes(one))).toEqual(WITHOUT);
});

/** The technician of this world has confirmed their address, so nothing is sent: email-confirmation.worker.test.ts. */
const NOTHING_TO_SEND = ["the form of /account/email/resend", "POST /api/user/email/resend"];

/**
 * No address has stopped its emails (app/mail/to-supervisors.worker.test.ts). The other user of this world is no admin
 * and not locked (app/admin/people.worker.test.ts). Its training and certificates have no requests, whose withdrawal is
 * that of entries. Nothing waits for the address of its inbox (app/verification/answer/crew.worker.test.ts). A shift card is
 * stored nowhere (app/records/entry/shift.worker.test.ts).
 */
const NOTHING_TO_CHANGE = [
  "the form of /training/record/:id/withdraw",
  "the form of /certificates/record/:id/withdraw",
  "the form of /inbox/:token",
  "the form of /shift",
  "the form of /admin/system/allow-emails",
  "POST /api/admin/allow-emails",
  "POST /api/admin/users/{id}/remove-admin",
  "POST /api/admin/users/{id}/unlock",
];

for (const action of ACTIONS.filter(({ name }) => ![...NOTHING_TO_SEND, ...NOTHING_TO_CHANGE].includes(name))) {
  test(`${action.name}: whichever D1 call fails, it takes effect fully or not at all, says so, and succeeds when sent again`, async () => {
    await begin();
    const { answer: good } = await action.send(app, world);
    expect([good.status < 400, good.trips >= 1 && good.trips <= 2]).toEqual([true, true]);
    const done = await changed();
    expect(done).not.toEqual([]);
    const mails = app.mailChannels.delivered.length;

    for (let k = 1; k <= good.trips; k += 1) {
      for (const how of HOW) {
        await begin();
        const where = `call ${k} ${how}`;
        const { answer, client } = await action.send(app, world, { "x-fail-d1-round-trip": `${k} ${how}` });
        const left = await changed();
        const isDone = left.length > 0;
        expect([where, left]).toEqual([where, isDone ? done : []]);
        if (isDone) expect([where, how]).toEqual([where, "after"]);
        expect([where, answer.status === 500 || answer.status === 303]).toEqual([where, true]);
        expect([where, mistakes(action, await landing(client, answer))]).toEqual([where, []]);

        // From the same state as `good`: `npm test` sends it again where something was done.
        if (!isLong && !isDone) continue;
        const { answer: again, client: sender } = await action.send(app, world);
        const { again: means } = action;
        if (!isDone || !means) {
          expect([where, again.status, await changed()]).toEqual([where, good.status, done]);
        } else if (means === "refused") {
          // The answer states the facts: the hours are verified, the link is used, the address has an account.
          const told = await landing(sender, again);
          expect([where, told.status >= 400 || told.text.includes('role="alert"')]).toEqual([where, true]);
          expect([where, withoutCounters(await changed())]).toEqual([where, withoutCounters(done)]);
        } else {
          expect([where, again.status]).toEqual([where, good.status]);
          expect([where, new Set(withoutCounters(await changed()))]).toEqual([where, new Set(withoutCounters(done))]);
        }
        const mostMails = isDone && typeof means === "object" ? mails * 2 : mails;
        expect([where, app.mailChannels.delivered.length]).toEqual([where, expect.toSatisfy((n) => n <= mostMails)]);
      }
    }
  });
}

/** Ids may be skipped, an action whose repetition is harmless may leave two rows. */
function withoutCounters(list: string[]): string[] {
  return list
    .filter((line) => !line.startsWith("+ sqlite_sequence"))
    .map((line) => (/^\+ (outbox|account_links|imports)/.test(line) ? line.replace(/"id":\d+/g, '"id":0') : line));
}

// `npm test` has the first call of each read in access-elsewhere.test.ts.
for (const { name, isApi, path, who } of READS) {
  search(`${name} reports the failure without internals, changes nothing, and works the next time`, async () => {
    await begin();
    const client = who === "nobody" ? app.as(new Map()) : world[who].as(world[who].cookies);
    const good = await client.get(path(world));
    await app.idle();
    const noted = await changed(); // that a link was opened
    for (let k = 1; k <= good.trips; k += 1) {
      for (const how of HOW) {
        const answer = await client.get(path(world), { "x-fail-d1-round-trip": `${k} ${how}` });
        expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
          500,
          expect.stringMatching(isApi ? /json/ : /html/),
        ]);
        const text = isApi ? answer.json<{ message: string }>().message : textOf(answer.text);
        expect(text).toMatch(/[Pp]lease try again/);
        expect(text).not.toMatch(wordless);
        await app.idle();
        expect(await changed()).toEqual(noted);
        expect((await client.get(path(world))).status).toBe(good.status);
      }
    }
  });
}

reportFigureAtEnd(
  "D1 fails at call k",
  () => `${ACTIONS.length} actions and ${READS.length} reads, every k, ${HOW.join(", ")}`,
);
