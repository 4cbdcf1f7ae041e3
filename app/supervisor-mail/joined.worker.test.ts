import { beforeEach, expect, test } from "vitest";
import { textOf } from "#tests/worker/html.ts";
import { JOINING, startMailApp } from "#tests/worker/mail.ts";
import { PASSWORD, type Technician } from "#tests/worker/people.ts";
import { freshEmail } from "#tests/worker/request-emails.ts";

/*
 * Requests to one supervisor within an hour: the first email goes out at once, and one more asks for all the others. Catches six
 * emails for a crew of six, and a request that gets none because another one of its hour was withdrawn.
 */

const app = await startMailApp({}, JOINING);
const { mailChannels } = app;
const MINUTE = 60_000;

beforeEach(() => mailChannels.reset());

interface Asked {
  emailed: boolean;
  emailedReason: string | null;
  verificationToken: string;
  id: number;
}

/** Asks the supervisor at an address about a new entry of 7.5 hours. */
async function ask(who: Technician, email: string): Promise<Asked> {
  const { id } = await who.addEntry({ hours: 7.5 });
  const supervisor = await who.addSupervisor({ email, name: "Ola Hansen" });
  return {
    ...(await who.json("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id })).json<Asked>(),
    id,
  };
}

async function crewOf(...names: string[]): Promise<Technician[]> {
  return Promise.all(names.map((name) => app.register({ name })));
}

/** Lets minutes pass, and then the timer work. */
async function later(minutes: number): Promise<void> {
  await app.idle();
  await app.nextDay(minutes * MINUTE);
  await app.tick(new Date());
  await app.idle();
}

/** The subjects of the emails to an address so far. */
async function subjectsTo(email: string): Promise<string[]> {
  await app.idle();
  return mailChannels.delivered.filter(({ to }) => to === email).map(({ subject }) => subject);
}

/** The path of the page for all requests that the last email to an address asks for. */
function pageIn(email: string): string {
  const last = mailChannels.delivered.filter(({ to }) => to === email).at(-1);
  return last?.text.match(/\/inbox\/[\w.-]+/)?.[0] ?? "";
}

test("six technicians who ask one supervisor within an hour cause two emails: the first at once, and one for the others", async () => {
  const email = freshEmail();
  const crew = await crewOf("Mia Chen", "Jo Berg", "Kai Lund", "Liv Dahl", "Per Vik", "Eva Moe");
  const asked = [];
  for (const who of crew) asked.push(await ask(who, email));
  expect(asked.map(({ emailed, emailedReason }) => [emailed, emailedReason])).toEqual([
    [true, null],
    ...Array(5).fill([false, "joined"]),
  ]);
  expect(await subjectsTo(email)).toEqual(["Mia Chen asks you to verify 7.5 OJT hours"]);
  await later(59);
  expect(await subjectsTo(email)).toHaveLength(1);
  await later(2);
  expect((await subjectsTo(email)).slice(1)).toEqual(["Jo Berg and 4 others ask you to verify 5 records"]);

  const page = textOf((await app.get(pageIn(email))).text);
  expect(["Jo Berg", "Eva Moe", "Mia Chen"].map((name) => page.includes(name))).toEqual([true, true, false]);
  // Five a day reach an address: the crew has used two.
  const [, jo] = crew;
  const requests = (await jo?.get("/api/verification-requests"))?.json<{ id: number }[]>();
  expect(requests?.[0]).toMatchObject({ emailed: true, emailedReason: null });
  const shown = textOf((await jo?.get(`/requests/${requests?.[0]?.id}`))?.text ?? "");
  expect(shown).toContain(`The email to Ola Hansen (${email}) has been sent.`);
});

test("the technician reads when the email goes out, and can pass the link on at once", async () => {
  const email = freshEmail();
  const [mia, jo] = (await crewOf("Mia Chen", "Jo Berg")) as [Technician, Technician];
  await ask(mia, email);
  const { id } = await jo.addEntry();
  const supervisor = await jo.addSupervisor({ email, name: "Ola Hansen" });
  const answer = await jo.post(`/profile/request/${id}`, { supervisor: String(supervisor.id) });
  expect(textOf((await jo.follow(answer)).text)).toMatch(
    /The email to Ola Hansen \(.*\) goes out at .*, together with other requests to them: they had one within the last hour\. You can also send them this link yourself\./,
  );
  expect(textOf((await jo.get("/requests")).text)).toContain(
    "The email goes out within the hour, together with other requests",
  );
});

test("a request that waits alone gets an email of its own", async () => {
  const email = freshEmail();
  const [mia, jo] = (await crewOf("Mia Chen", "Jo Berg")) as [Technician, Technician];
  await ask(mia, email);
  await ask(jo, email);
  await later(61);
  expect((await subjectsTo(email)).slice(1)).toEqual(["Jo Berg asks you to verify 7.5 OJT hours"]);
});

test("what is withdrawn, answered or deleted meanwhile is left out, and the others are asked for", async () => {
  const email = freshEmail();
  const crew = await crewOf("Mia Chen", "Jo Berg", "Kai Lund", "Liv Dahl", "Per Vik");
  const asked = [];
  for (const who of crew) asked.push(await ask(who, email));
  const [, jo, , liv] = crew;
  await jo?.json("DELETE", `/api/verify-request/${asked[1]?.id}`);
  await app.json("POST", `/api/verify/${asked[2]?.verificationToken}`, { supervisorName: "Ola Hansen" });
  await liv?.json("DELETE", "/api/user", { password: PASSWORD });
  await later(61);
  expect((await subjectsTo(email)).filter((subject) => subject.includes("asks"))).toEqual([
    "Mia Chen asks you to verify 7.5 OJT hours",
    "Per Vik asks you to verify 7.5 OJT hours",
  ]);
});

const ENDS: Record<string, (who: Technician | undefined, asked: Asked | undefined) => Promise<unknown> | undefined> = {
  "is withdrawn": (who, asked) => who?.json("DELETE", `/api/verify-request/${asked?.id}`),
  "is deleted with its account": (who) => who?.json("DELETE", "/api/user", { password: PASSWORD }),
};

test.each(Object.entries(ENDS))(
  "the others keep their email if the request that it is stored with %s before it is sent",
  async (_, end) => {
    const email = freshEmail();
    const crew = await crewOf("Mia Chen", "Jo Berg", "Kai Lund", "Liv Dahl");
    const asked = [];
    for (const who of crew) asked.push(await ask(who, email));
    await app.idle();
    mailChannels.behave({ status: 503 });
    await later(61);
    expect(await subjectsTo(email)).toHaveLength(1);
    mailChannels.behave("send");
    await end(crew[1], asked[1]);
    await later(61);
    expect((await subjectsTo(email)).slice(1)).toEqual(["Kai Lund and Liv Dahl ask you to verify 2 records"]);
  },
);

test("a first request that was withdrawn or answered holds up no other one", async () => {
  const email = freshEmail();
  const [mia, jo] = (await crewOf("Mia Chen", "Jo Berg")) as [Technician, Technician];
  const first = await ask(mia, email);
  await mia.json("DELETE", `/api/verify-request/${first.id}`);
  expect(await ask(jo, email)).toMatchObject({ emailed: true, emailedReason: null });
});

// Seen to fail: only the technician of the request that the email is stored with could send again.
test("each technician of a joint email that the mail service refused can send their request again at once", async () => {
  const email = freshEmail();
  const crew = await crewOf("Mia Chen", "Jo Berg", "Kai Lund");
  for (const who of crew) await ask(who, email);
  await app.idle();
  mailChannels.behave({ status: 400 });
  await later(61);
  mailChannels.behave("send");
  const kai = crew[2] as Technician;
  const [request] = (await kai.get("/api/verification-requests")).json<{ id: number }[]>();
  const again = await kai.json("POST", `/api/verification-requests/${request?.id}/remind`);
  expect([again.status, again.json<{ emailed: boolean }>().emailed]).toEqual([200, true]);
  expect((await subjectsTo(email)).at(-1)).toBe("Kai Lund asks you to verify 7.5 OJT hours");
});
