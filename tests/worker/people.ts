import { normalizeMailbox } from "#app/plain-text.ts";
import { type Answer, Client } from "./client.ts";
import { count } from "./database.ts";
import type { Transport } from "./transport.ts";

export { PASSWORD, PASSWORD_HASH } from "./password.ts";

/** The password that tests change to. */
export const NEW_PASSWORD = "another horse battery";

export interface User {
  id: number;
  email: string;
  name: string | null;
  employeeNumber: string | null;
  isAdmin: boolean;
  createdAt: string;
  emailConfirmedAt: string | null;
}

export interface Entry {
  id: number;
  userId: number;
  date: string;
  location: string;
  method: string;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedAt: string | null;
  createdAt: string;
}

export interface RopeHours {
  id: number;
  userId: number;
  startDate: string;
  endDate: string;
  location: string;
  skills: string;
  hours: number;
  verified: boolean;
  verifiedBy: string | null;
  verifiedAt: string | null;
  createdAt: string;
}

export interface Supervisor {
  id: number;
  name: string;
  email: string;
  phone: string;
  certificationLevel: string;
  company: string;
}

/** Returns the values as a form sends them. */
export function formFields(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** A valid entry, as a request sends it. */
export function anEntry(over: Record<string, unknown> = {}) {
  return { date: "2026-11-20", location: "Mongstad", method: "MT", hours: 7.5, ...over };
}

/** A training as the API takes it. */
export function aTraining(over: object = {}) {
  return {
    startDate: "2026-03-02",
    endDate: "2026-03-06",
    course: "UT Level I",
    organization: "Northgate Academy",
    instructor: "Ola Hansen" as string | null,
    method: "UTSW" as string | null,
    level: "Level I" as string | null,
    hours: 16,
    ...over,
  };
}

/** A certificate as the API takes it. */
export function aCertificate(over: object = {}) {
  return {
    category: "certificate",
    title: "UT Level I",
    standard: "SNT-TC-1A" as string | null,
    method: "UTSW" as string | null,
    level: "Level I" as string | null,
    number: "NI-UT1-0231" as string | null,
    issuer: "Northgate Inspection" as string | null,
    issuedOn: "2026-02-01",
    expiresOn: "2031-01-31" as string | null,
    ...over,
  };
}

/** Valid rope hours, as a request sends them. */
export function aRopeHours(over: Record<string, unknown> = {}) {
  return {
    startDate: "2026-11-16",
    endDate: "2026-11-20",
    location: "Mongstad",
    skills: "Rigging, rescue",
    hours: 38.5,
    ...over,
  };
}

/** A valid supervisor, as a request sends it. */
export function aSupervisor(over: Record<string, unknown> = {}) {
  return {
    name: "Ola Hansen",
    email: "ola@example.org",
    phone: "+47 555 01 234",
    certificationLevel: "Level III",
    company: "Fjord Inspection AS",
    ...over,
  };
}

let supervisors = 0;

/** A signed-in technician. */
export class Technician extends Client {
  readonly #db: D1Database;
  #user: User | undefined;

  constructor(transport: Transport, origin: string, db: D1Database) {
    super(transport, origin);
    this.#db = db;
  }

  signedIn(answer: Answer): this {
    this.#user = must(answer, 200).json<User>();
    return this;
  }

  /** Signed in with the token of a stored session. */
  signedInWith(user: User, token: string): this {
    const isSecure = this.origin.startsWith("https:");
    const value = Buffer.from(JSON.stringify(token)).toString("base64");
    this.cookies.set(isSecure ? "__Host-session" : "session", encodeURIComponent(value));
    this.#user = user;
    return this;
  }

  get user(): User {
    if (!this.#user) throw new Error("the technician is not signed in");
    return this.#user;
  }

  /** The number of their stored entries. */
  storedEntries(): Promise<number> {
    return count(this.#db, "entries", "user_id = ?", this.user.id);
  }

  /** Logs entries: that many alike, or these. */
  async addEntries(list: number | Record<string, unknown>[]): Promise<Entry[]> {
    const entries = typeof list === "number" ? Array.from({ length: list }, () => anEntry()) : list.map(anEntry);
    return must(await this.json("POST", "/api/entries", entries), 201).json<Entry[]>();
  }

  async addEntry(over: Record<string, unknown> = {}): Promise<Entry> {
    const [entry] = await this.addEntries([over]);
    if (!entry) throw new Error("no entry came back");
    return entry;
  }

  async addRopeHours(over: Record<string, unknown> = {}): Promise<RopeHours> {
    return must(await this.json("POST", "/api/rope-hours", aRopeHours(over)), 201).json<RopeHours>();
  }

  /**
   * Saves a supervisor with an address of its own, because an address gets a limited number of emails a day. One whose mailbox
   * is in the list already takes that one's place.
   */
  async addSupervisor(over: Record<string, unknown> = {}): Promise<Supervisor> {
    supervisors += 1;
    const supervisor = aSupervisor({ email: `ola-${supervisors}@example.org`, ...over });
    if (over.email !== undefined) {
      const mailbox = normalizeMailbox(String(over.email).trim());
      const listed = (await this.get("/api/supervisors")).json<Supervisor[]>();
      const same = listed.find(({ email }) => normalizeMailbox(email) === mailbox);
      if (same) must(await this.json("DELETE", `/api/supervisors/${same.id}`), 200);
    }
    return must(await this.json("POST", "/api/supervisors", supervisor), 201).json<Supervisor>();
  }

  /** Requests verification of an entry. Returns the token of its link. */
  async requestVerification(entryId: number, supervisorId?: number): Promise<string> {
    const id = supervisorId ?? (await this.addSupervisor()).id;
    const answer = await this.json("POST", `/api/verify-request/${entryId}`, { supervisorId: id });
    return must(answer, 200).json<{ verificationToken: string }>().verificationToken;
  }

  /** Returns a verified entry of this technician, and the token of its used link. */
  async addVerifiedEntry(over: Record<string, unknown> = {}): Promise<{ entry: Entry; token: string }> {
    const { id } = await this.addEntry(over);
    const token = await this.requestVerification(id);
    const supervisor = this.as(new Map());
    const answer = await supervisor.json("POST", `/api/verify/${token}`, { supervisorName: "Ola Hansen" });
    return { entry: must(answer, 200).json<{ entry: Entry }>().entry, token };
  }
}

function must(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}
