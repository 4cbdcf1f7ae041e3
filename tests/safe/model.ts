import type { App } from "#tests/worker/app.ts";
import type { Client } from "#tests/worker/client.ts";

/** The expected data of one user. */
export interface Person {
  email: string;
  /** Null if there is no such account. */
  account: { id: number; password: string } | null;
  isSignedIn: boolean;
  supervisors: { id: number; name: string }[];
}

export type Kind = "entry" | "rope_hour";

/** The expected state of a record. */
export interface Logged {
  kind: Kind;
  id: number;
  owner: number;
  /** The day by which the log is ordered. */
  date: string;
  content: Record<string, unknown>;
  token: string | null;
  verifiedBy: string | null;
}

/** The product, in its simplest form. */
export interface Model {
  people: Person[];
  records: Logged[];
  /** Records deleted by their owners, which can be restored. */
  deleted: Logged[];
  /** Every link ever created, with its record. */
  links: { token: string; kind: Kind; id: number }[];
}

/** The app and its users. */
export interface Real {
  app: App;
  /** Each with a browser of their own. */
  people: Client[];
  admin: Client;
  anonymous: Client;
}

export const PEOPLE = 2;

/** The paths and names of each kind of record. */
export const CALL = { entry: "/api/entries", rope_hour: "/api/rope-hours" };

export function newModel(run: string): Model {
  const people = Array.from({ length: PEOPLE }, (_, number) => ({
    email: `person-${number}-${run}@example.com`,
    account: null,
    isSignedIn: false,
    supervisors: [],
  }));
  return { people, records: [], deleted: [], links: [] };
}

/** Returns a user's records of one kind, newest first: by date, then by id. */
export function recordsOf(model: Model, owner: number, kind: Kind): Logged[] {
  return model.records
    .filter((record) => record.owner === owner && record.kind === kind)
    .sort((one, other) => (one.date === other.date ? other.id - one.id : one.date < other.date ? 1 : -1));
}

/** Returns the record that a link opens, if it still does. */
export function recordAt(model: Model, token: string): Logged | undefined {
  return model.records.find((record) => record.token === token);
}

/** Deletes a user's account and all its data. */
export function forget(model: Model, number: number): void {
  const person = model.people[number];
  if (!person) return;
  Object.assign(person, { account: null, isSignedIn: false, supervisors: [] });
  model.records = model.records.filter(({ owner }) => owner !== number);
  model.deleted = model.deleted.filter(({ owner }) => owner !== number);
}
