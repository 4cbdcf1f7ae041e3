import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import type { StoredEvent } from "./chain.server.ts";

/** A supervisor as they were saved when they were asked. */
export type AskedSupervisor = Omit<Supervisor, "id">;

/** An event of a record's log, as people see it. */
export type ShownEvent = Omit<StoredEvent, "recordKind" | "recordId" | "supervisor"> & {
  supervisor: AskedSupervisor | null;
};
