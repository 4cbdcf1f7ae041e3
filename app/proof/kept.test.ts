import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { factsAbout } from "#app/audit-log/event-facts.ts";
import { eventHash, factsHash, NO_PREVIOUS } from "#app/audit-log/event-hash.server.ts";
import { SIGNING_KEY } from "#tests/worker/signing-key.ts";
import { signedCheckpoint } from "./checkpoint-note.ts";
import { rowsHash, sealOf } from "./rows-hash.server.ts";
import { signerOf } from "./signing-keys.server.ts";
import type { PrintedRecord } from "./snapshot.ts";
import { signStatement } from "./statement.server.ts";

/*
 * The values that others keep: events, forms, statements and checkpoints that this code made in November 2026. Each
 * must be made again byte by byte: a change that fails here makes papers and copies of the log look forged. So the text
 * below is never updated.
 */

const INSTANT = new Date("2026-11-22T16:03:33.900Z");
const SALT = "5eed".repeat(8);

const supervisor = {
  name: "Ola Hansen",
  email: "ola@fjord.example",
  phone: "+47 1",
  certificationLevel: "Level III" as const,
  company: "Fjord",
  role: null,
};
const client = { address: "192.0.2.1", browser: "A browser" };

/** The facts of an event of each sort, in the order in which the app gives them. */
const FACTS = {
  requested: { ...client, supervisor },
  verified: {
    ...client,
    technician: { id: 7, name: "Kari Nordmann", employeeNumber: "NDT-7" },
    certification: { scheme: "PCN", level: "Level III", number: "12345" },
    asked: "Ola Hansen",
    otherAsked: true,
    sameNetwork: true,
    sameBrowser: true,
    name: "Per Olsen",
    mailbox: "ola@fjord.example",
    accountId: null,
  },
  declined: { ...client, reason: "Not my crew", name: "Per Olsen", accountId: 3 },
  edited: {
    ...client,
    changes: { location: ["Rig", "Rig 2"] as [string, string], hours: [7.5, 8] as [number, number] },
  },
};

const printed: PrintedRecord[] = [
  {
    recordId: 7,
    type: "entry",
    content: { date: "2026-11-20", location: 'Før "Kårstø"', method: "MT", hours: 7.5, broughtForward: true },
    details: { procedure: "P-1" },
    supervisor: "Per Olsen",
    via: "mailbox",
    domain: "fjord.example",
    verifiedFor: { name: "Anna", employeeNumber: null },
    dayHundredths: 2650,
    createdAt: new Date("2026-11-21T10:00:00Z"),
    verifiedAt: INSTANT,
    certification: { scheme: "PCN", level: "Level III", number: "12345" },
    asked: "Ola Hansen",
  },
  {
    recordId: 8,
    type: "rope_hour",
    content: { startDate: "2026-11-16", endDate: "2026-11-20", location: "Valhall", skills: "Rescue", hours: 38.5 },
    supervisor: "Ola",
    via: "link",
    domain: "fjord.example",
    confirmedOn: "2026-11-22",
    createdAt: INSTANT,
    verifiedAt: INSTANT,
    certification: { level: "Level II" },
    asked: null,
  },
];

async function made() {
  const signer = await signerOf({ signingKey: SIGNING_KEY });
  if (!signer) throw new Error("the key of the tests cannot be used");
  const facts = Object.entries(FACTS).map(([event, given]) => {
    const of = (side: "technician" | "supervisor") => factsAbout(side, { event: event as keyof typeof FACTS }, given);
    return [event, of("technician"), of("supervisor")];
  });
  const text = factsAbout("supervisor", { event: "verified" }, FACTS.verified) ?? "";
  const supervisorHash = factsHash(SALT, text);
  const event = eventHash({
    ...{ recordId: 7, number: 2, event: "verified", at: INSTANT, cause: null, via: "mailbox" },
    ...{ recordHash: "a".repeat(64), technicianHash: null, supervisorHash, previous: NO_PREVIOUS },
  });
  const snapshot = {
    ...{ form: "ojt" as const, madeAt: INSTANT, madeOn: "2026-11-22", name: "Kari Nordmann", employeeNumber: "NDT-7" },
    chosen: { from: "2026-01-01", to: null, isOfOneSupervisor: true, supervisor: "Per Olsen, Ola" },
    records: printed,
  };
  const code = "ABCD-EFGH-JKMN-PQRS-T";
  const checkpoint = await signedCheckpoint(
    {
      ...{ origin: `hours.example.com/${"0".repeat(32)}`, size: 3, at: INSTANT.getTime() },
      root: createHash("sha256").update("root").digest("base64"),
      keys: [{ kid: signer.kid, addedAt: INSTANT.getTime() }],
    },
    signer,
  );
  const statement = await signStatement(signer, {
    ...{ code, url: `https://hours.example.com/c/${code}`, form: "ojt", madeAt: INSTANT },
    ...{
      name: "Kari Nordmann",
      number: "NDT-7",
      totals: { total: 46, MT: 7.5 },
      count: 2,
      rowsHash: rowsHash(printed),
    },
  });
  return { facts, supervisorHash, event, rows: rowsHash(printed), seal: sealOf(code, snapshot), statement, checkpoint };
}

test("facts, events, rows, seals, statements and checkpoints are as they were, byte by byte", async () => {
  expect(await made()).toMatchInlineSnapshot(`
    {
      "checkpoint": "hours.example.com/00000000000000000000000000000000
    3
    SBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=
    time 2026-11-22T16:03:33.900Z
    key kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k 2026-11-22T16:03:33.900Z

    — hours.example.com/00000000000000000000000000000000 jaHAltndnmOFmM8wxTAFNm9oKdvHkA1dzJmi2cK+2SRh7IccLtTFUc2lAzA5A5JfU9bxBAyJm9Gt7YA/LElVDzs1vQA=
    ",
      "event": "23cd97c927e2ec17a88468945fe6dbea3cac03d2f9272dc6871996ab533e8525",
      "facts": [
        [
          "requested",
          "{"address":"192.0.2.1","browser":"A browser"}",
          "{"supervisor":{"name":"Ola Hansen","email":"ola@fjord.example","phone":"+47 1","certificationLevel":"Level III","company":"Fjord","role":null}}",
        ],
        [
          "verified",
          "{"technician":{"id":7,"name":"Kari Nordmann","employeeNumber":"NDT-7"},"otherAsked":true}",
          "{"address":"192.0.2.1","browser":"A browser","certification":{"scheme":"PCN","level":"Level III","number":"12345"},"asked":"Ola Hansen","sameNetwork":true,"sameBrowser":true,"name":"Per Olsen","mailbox":"ola@fjord.example","accountId":null}",
        ],
        [
          "declined",
          null,
          "{"address":"192.0.2.1","browser":"A browser","reason":"Not my crew","name":"Per Olsen","accountId":3}",
        ],
        [
          "edited",
          "{"address":"192.0.2.1","browser":"A browser","changes":{"location":["Rig","Rig 2"],"hours":[7.5,8]}}",
          null,
        ],
      ],
      "rows": "w6zDBGUuxTYi4HQS2G6c5ynnEzb2ei_zuqLVn6o_4D8",
      "seal": "94b300fc54d7734124847b64570da528b8386726d0275563f4e7d7164346af15",
      "statement": "eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsiLCJ0eXAiOiJob3Vycy1zdGF0ZW1lbnQrandzIn0.eyJjb2RlIjoiQUJDRC1FRkdILUpLTU4tUFFSUy1UIiwidXJsIjoiaHR0cHM6Ly9ob3Vycy5leGFtcGxlLmNvbS9jL0FCQ0QtRUZHSC1KS01OLVBRUlMtVCIsImZvcm0iOiJvanQiLCJpYXQiOjE3OTUzNjM0MTMsIm5hbWUiOiJLYXJpIE5vcmRtYW5uIiwibm8iOiJORFQtNyIsInN1bSI6eyJ0b3RhbCI6NDYsIk1UIjo3LjV9LCJuIjoyLCJyb3dzIjoidzZ6REJHVXV4VFlpNEhRUzJHNmM1eW5uRXpiMmVpX3p1cUxWbjZvXzREOCJ9.9kIE3l-WLu478gqReELLJmBmYcDHIG7GT49j07m14yfUCzkxWmT3PkxVr8uYLiJ655sIlRRscF1KZAxvp2yJAg",
      "supervisorHash": "d2690c9721bc2606b37a863cc3d2d90da80fa25a3a2e932eb3f68034d9941f07",
    }
  `);
});
