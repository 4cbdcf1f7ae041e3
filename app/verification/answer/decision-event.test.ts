import { expect, test } from "vitest";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import { decisionEvent } from "#app/verification/answer/answer-request.server.ts";
import type { FoundLink, LinkItem } from "#app/verification/link.server.ts";

const record = {
  id: 7,
  owner: "00".repeat(16),
  userId: 1,
  date: "2026-11-20",
  location: "Mongstad",
  method: "MT",
  hours: 7.5,
  createdAt: new Date(0),
};
const item = { kind: entryKind, record } as unknown as LinkItem; // what an event needs of it
const client = { address: "2001:db8:1:2:3::4", browser: "Firefox/150", place: null };
const request = { supervisorEmail: "ola@example.org" } as FoundLink["request"]; // what an event needs of it
const owner = { id: 1, revision: 0, name: "Kari", employeeNumber: null };
const technician = { id: 1, name: "Kari", employeeNumber: null };
const at = new Date(0);
const answers = { supervisorName: "Ola", via: "mailbox" } as const;
const from = (address: string | null, browser: string | null) => [{ address, browser }];

test("a verification's event has the technician, what the supervisor stated, and how they came", () => {
  const certification = { scheme: "PCN", level: "3" };
  const event = decisionEvent(
    client,
    { request, owner, sessions: [], viewer: null },
    { ...answers, certification },
    item,
    at,
  );
  expect(event).toEqual({
    event: "verified",
    technician,
    certification,
    via: "mailbox",
    at,
    client,
    name: "Ola",
    accountId: null,
    mailbox: "ola@example.org",
    recordHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("a verification's event has who was asked, if another name was typed; the same in other letters is no other", () => {
  const asked = (supervisorName: string) =>
    decisionEvent(
      client,
      { request: { ...request, requestedName: "Ola Hansen" }, owner, sessions: [], viewer: null },
      { ...answers, supervisorName },
      item,
      at,
    );
  expect(asked("Per Dahl")).toMatchObject({ name: "Per Dahl", asked: "Ola Hansen", otherAsked: true });
  for (const fact of ["asked", "otherAsked"]) expect(asked(" OLA  hansen ")).not.toHaveProperty(fact);
});

test("a decline's event has the reason and no certificate", () => {
  const declined = new Map([["entry:7", "No"]]);
  const all = { ...answers, declined, certification: { level: "3" } };
  const event = decisionEvent(
    client,
    { request, owner, sessions: [], viewer: { id: 9, revision: 0, email: "kari@example.org" } },
    all,
    item,
    at,
  );
  expect(event).toMatchObject({ event: "declined", reason: "No", accountId: 9 });
  expect(event).not.toHaveProperty("certification");
  expect(event).not.toHaveProperty("technician");
});

test.each([
  ["the same /64 network", from("2001:db8:1:2:ffff::1", "Chrome/1"), { sameNetwork: true }],
  ["the same browser", from("192.0.2.1", "Firefox/150"), { sameBrowser: true }],
  [
    "both, in two sessions",
    [...from("2001:db8:1:2::", null), ...from(null, "Firefox/150")],
    { sameNetwork: true, sameBrowser: true },
  ],
  ["neither", from("2001:db8:1:3::4", "Firefox/151"), {}],
  ["no session", [], {}],
])("%s as one of the technician's sessions is a fact of the event", (_name, sessions, facts) => {
  const { sameNetwork, sameBrowser } = decisionEvent(
    client,
    { request, owner, sessions, viewer: null },
    answers,
    item,
    at,
  );
  expect({ ...(sameNetwork && { sameNetwork }), ...(sameBrowser && { sameBrowser }) }).toEqual(facts);
});

test("an unknown network or browser equals no other unknown one", () => {
  const unknown = { address: null, browser: null, place: null };
  const event = decisionEvent(unknown, { request, owner, sessions: from(null, null), viewer: null }, answers, item, at);
  expect([event.sameNetwork, event.sameBrowser]).toEqual([undefined, undefined]);
});
