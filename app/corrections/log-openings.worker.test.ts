import { beforeEach, expect, test } from "vitest";
import { startMailApp } from "#tests/worker/mail.ts";
import { FROM, listEventNames, listEvents } from "#tests/worker/record-log.ts";

// Which openings of a link a record's log gets. Catches an opening that is logged at every reload.

const app = await startMailApp();

beforeEach(() => app.mailChannels.reset());

test("an opening is logged once per network and browser since the last request, but not the owner's or a HEAD", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const token = await ada.requestVerification(id, supervisor.id);
  await app.idle();
  const open = async (headers: Record<string, string>, path = `/verify/${token}`, method = "GET") => {
    expect((await app.send(method, path, { headers })).status).toBe(200);
    await app.idle();
  };
  await open(FROM, `/verify/${token}`, "HEAD");
  await ada.get(`/verify/${token}`);
  await ada.get(`/api/verify/${token}`);
  await app.get("/verify/abc");
  expect(await listEventNames(app, ada, id)).toEqual(["requested", "mailed"]);
  await open(FROM);
  await open(FROM);
  await open(FROM, `/api/verify/${token}`);
  await open({ ...FROM, "User-Agent": "Gauge/1.1" });
  await open({ ...FROM, "User-Agent": "Other/1.0" });
  await open({ ...FROM, "CF-Connecting-IP": "192.0.2.8" });
  await open({ ...FROM, "CF-Connecting-IP": "2001:db8:1:2::1" });
  await open({ ...FROM, "CF-Connecting-IP": "2001:db8:1:2::2" });
  await app.post(`/verify/${token}`, {}, { ...FROM, "User-Agent": "A form's page is no opening" });
  expect((await listEventNames(app, ada, id)).slice(2)).toEqual(["opened", "opened", "opened", "opened"]);
  await app.nextDay();
  await ada.requestVerification(id, supervisor.id);
  await app.idle();
  await open(FROM);
  expect((await listEventNames(app, ada, id)).slice(6)).toEqual(["requested", "mailed", "opened"]);
});

test("openings with sixty User-Agents and from sixty networks do not keep the supervisor's opening out of the log", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  await app.idle();
  const open = (address: string, browser: string) =>
    app.get(`/verify/${token}`, { "CF-Connecting-IP": address, "User-Agent": browser });
  for (let n = 0; n < 60; n += 1) await open("198.51.100.9", `Made-up-${n}/1.0`);
  expect((await listEventNames(app, ada, id)).slice(2)).toEqual(["opened", "opened", "opened", "opened", "opened"]);
  for (let n = 0; n < 60; n += 1) await open(`203.0.113.${n}`, "Made-up/1.0");
  await open("192.0.2.7", "The supervisor's/1.0");
  const { requestEvents } = await listEvents(app, ada, id);
  const since = requestEvents.slice(1);
  expect(since).toHaveLength(5 + 60 + 1);
  // Openings are noted after their responses, so their order can differ.
  expect(since).toContainEqual(
    expect.objectContaining({ event: "opened", address: "192.0.2.7", browser: "The supervisor's/1.0" }),
  );
});

test("concurrent openings are all logged, once for each network", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const token = await ada.requestVerification(id);
  await app.idle();
  const from = (n: number) => ({ "CF-Connecting-IP": `192.0.2.${n}` });
  await Promise.all(Array.from({ length: 90 }, (_, n) => app.get(`/verify/${token}`, from(n % 45))));
  const { requestEvents } = await listEvents(app, ada, id);
  expect(requestEvents).toHaveLength(1 + 45);
});

test("a failure to log an opening is an error in the app's log and does not affect the page", async () => {
  const ada = await app.register();
  const token = await ada.requestVerification((await ada.addEntry()).id);
  await app.idle();
  const page = await app.get(`/verify/${token}`, { ...FROM, "x-fail-d1-round-trip": "2" });
  expect(page.status).toBe(200);
  const [line] = (await app.logged(({ level }) => level === "error")).filter(({ level }) => level === "error");
  expect(JSON.stringify(line)).not.toContain(token);
});
