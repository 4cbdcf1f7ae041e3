import type { NewEvent } from "#app/audit-log/log.server.ts";
import { recordHash } from "#app/records/record-hash.server.ts";
import type { Client } from "#app/server/client-address.server.ts";
import { networkFromAddress } from "#app/server/network.ts";
import type { FoundLink, LinkItem, SessionClient } from "#app/verification/link.server.ts";
import { itemKey } from "#app/verification/record.ts";
import type { Answers } from "./answers.ts";

/** The event of a supervisor's decision about one record, for its audit log. */
export function decisionEvent(
  client: Client,
  { request, owner, sessions, viewer }: Pick<FoundLink, "request" | "owner" | "sessions" | "viewer">,
  { supervisorName, via, certification, declined }: Answers,
  { kind, record }: LinkItem,
  at: Date,
): NewEvent {
  const reason = declined?.get(itemKey(kind.name, record.id));
  return {
    ...(reason === undefined
      ? { event: "verified", technician: personOf(owner), ...(certification && { certification }) }
      : { event: "declined", reason }),
    via,
    at,
    client,
    ...sharedWith(client, sessions),
    name: supervisorName,
    ...(via === "mailbox" && { mailbox: request.supervisorEmail }),
    accountId: viewer?.id ?? null,
    recordHash: recordHash(kind, record),
  };
}

function personOf({ id, name, employeeNumber }: FoundLink["owner"]) {
  return { id, name, employeeNumber };
}

/**
 * Whether the supervisor's network or browser is also that of one of the technician's sessions. It is noted as a fact and
 * proves nothing: a rig shares one line, and many people have the same browser.
 */
function sharedWith(client: Client, sessions: SessionClient[]): Pick<NewEvent, "sameNetwork" | "sameBrowser"> {
  const network = networkFromAddress(client.address);
  const isSameNetwork = network !== "" && sessions.some(({ address }) => networkFromAddress(address) === network);
  const isSameBrowser = client.browser !== null && sessions.some(({ browser }) => browser === client.browser);
  return { ...(isSameNetwork && { sameNetwork: true }), ...(isSameBrowser && { sameBrowser: true }) };
}
