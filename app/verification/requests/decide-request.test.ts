import { expect, test } from "vitest";
import { kindNamed } from "#app/records/all-kinds.ts";
import { decideRequest } from "./request.server.ts";

/* The supervisor of a new request, one row for each outcome. */

type State = Parameters<typeof decideRequest>[1];
type Choice = Parameters<typeof decideRequest>[2];

const OLA = {
  id: 7,
  name: "Ola Hansen",
  email: "ola@firm.example",
  phone: "+47 1",
  certificationLevel: "Level III" as const,
  company: "Firm",
  role: null,
};
const { id: _, ...NEW } = OLA;

/** A record of a kind, as far as a decision looks at it. */
const record = (kind: string, verified = false) =>
  ({ kind: kindNamed(kind), record: { id: 1, verified }, last: undefined }) as unknown as State["list"][number];

const account = { id: 1, revision: 0, email: "ada@firm.example", emailConfirmedAt: null };

function state(over: Partial<State> = {}): State {
  return {
    list: [record("entry")],
    open: undefined,
    supervisors: [OLA],
    addresses: { present: [account], earlier: [], next: [] },
    added: { saved: [], same: [], held: [{ held: 1 }] },
    ...over,
  };
}

const decide = (over: Partial<State>, choice: Choice) => decideRequest({ secret: "secret" }, state(over), choice);

const ofList: Choice = { supervisorId: OLA.id };
const added: Choice = { newSupervisor: NEW };

test.each<[string, Partial<State>, Choice, object]>([
  ["one of the list", {}, ofList, { supervisorId: 7, isReaddressed: false }],
  ["a new one, who is to be saved", {}, added, { supervisorId: null, isReaddressed: false }],
  [
    "a new one whom the same form has saved before",
    { added: { ...state().added, saved: [OLA] } as State["added"] },
    added,
    { supervisorId: 7 },
  ],
  ["an open request at the same address", { open: { supervisorEmail: OLA.email } }, ofList, { isReaddressed: false }],
  [
    "an open request at another address",
    { open: { supervisorEmail: "x@firm.example" } },
    ofList,
    { isReaddressed: true },
  ],
  ["an open request whose supervisor was erased", { open: { supervisorEmail: null } }, ofList, { isReaddressed: true }],
  [
    "a course, for which a role is enough",
    { list: [record("training")], supervisors: [{ ...OLA, phone: null, role: "Teacher" }] },
    ofList,
    { supervisorId: 7 },
  ],
])("a request to %s", (_name, over, choice, expected) => {
  expect(decide(over, choice)).toMatchObject(expected);
});

test.each<[string, Partial<State>, Choice, string, string]>([
  ["of another technician's supervisor", {}, { supervisorId: 8 }, "not_found", "not in your list"],
  [
    "to the technician's own address",
    { supervisors: [{ ...OLA, email: "ada+1@firm.example" }] },
    ofList,
    "own_mailbox",
    "your own mailbox",
  ],
  [
    "of an account that was deleted meanwhile",
    { addresses: { present: [], earlier: [], next: [] } },
    ofList,
    "unauthorized",
    "Unauthorized",
  ],
  ["for a verified record", { list: [record("entry", true)] }, ofList, "already_verified", "already verified"],
  [
    "to a supervisor of hours without a company",
    { supervisors: [{ ...OLA, company: null }] },
    ofList,
    "invalid",
    "Under Supervisors, add",
  ],
  [
    "to a new supervisor of hours without a phone",
    {},
    { newSupervisor: { ...NEW, phone: null } },
    "invalid",
    "Phone is required",
  ],
  [
    "to a new supervisor with the mailbox of another",
    { added: { ...state().added, same: [OLA] } as State["added"] },
    added,
    "supervisor_exists",
    "already in your list",
  ],
  [
    "to a new supervisor in a full list",
    { added: { saved: [], same: [], held: [{ held: 1000 }] } },
    added,
    "account_full",
    "1,000 supervisors",
  ],
])("a request %s is refused", (_name, over, choice, code, message) => {
  const refused = expect.objectContaining({ code, message: expect.stringContaining(message) });
  expect(() => decide(over, choice)).toThrow(refused);
});
