import { OPEN_TOKEN, RESET_TOKEN, TECHNICIANS, type Technician, USED_TOKEN } from "#bench/seed.ts";
import { PASSWORD } from "./people.ts";

/** A valid request. */
export interface Asked {
  method: "GET" | "POST";
  path: string;
  as: Technician | "admin" | null;
  body?: URLSearchParams | object;
  /** Whether the form sends the hidden fields of its page. */
  hidden?: true;
  /** The most rows that it may read and write, as D1 counts and bills them. */
  most: { read: number; written: number };
}

/** The entries for which `requests` requests verification. */
export const UNVERIFIED =
  "SELECT id FROM records WHERE user_id = ? AND kind = 'entry' AND verified = 0 AND requested_at IS NULL ORDER BY id LIMIT 3";

/** The rows read for the session and its user. */
const VIEWER = 2;
/**
 * The rows of a reset link: its user, and the number of failed links. It was 11 to 17 so far, and differs by one from run
 * to run.
 */
const RESET_LINK = { read: 20, written: 1 };
/**
 * The rows of a verification link: its request, items, records, owner, the last event of each log, and the number of
 * failed links, and the addresses of its owner. It was up to 47 so far.
 */
const LINK = { read: 50, written: 1 };
/**
 * The rows that a form may read and write besides its own: the viewer, a rate limit, the outbox, the log. It was up to
 * 65.
 */
const FORM = { read: 70, written: 16 };

/**
 * A save also looks for the same job among the records of its day, which was up to 81 for an account of 50 records, and for
 * the certificates of the technician.
 */
const SAVE = { ...FORM, read: 88 };
/**
 * The same for sending a request: a request with its item, its email, and the limits on emails; and the last requests,
 * at most 30, which show which supervisor had the last one and which do not know the technician. It was 154 and 30, one
 * of them the count of events of a day, before the index by which a supervisor's facts are found to erase them. The
 * index of events without edits is a row more, and so is the revision of the account.
 */
const ASK = { read: 180, written: 35 };
/** The same for a supervisor's answer: the link before and after, the answer, the item, the record. It was 190 and 30,
 * of them two events. One is in the index by which the next answer is filled in. */
const ANSWER = { read: 196, written: 33 };

/**
 * The rows of an export of 41 verified entries: each with its events and its request, the hours of its day, what its
 * supervisor stated, and what is printed of it. It was 853 and 49, of them each entry once more to add up its bytes.
 */
const EXPORT = { read: 865, written: 54 };

/** The rows of the spans of progress, without a target: it was 50 so far. */
const SPANS = 60;
/** All entries, and the rope hours of `fifty`. */
const ALL_RECORDS = Object.values(TECHNICIANS).reduce<number>((sum, count) => sum + count, 50);

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const ENTRY = { date: "2026-11-19", location: "Mongstad", method: "MT", hours: "7.5" };
const entryForm = form(Object.fromEntries(Object.entries(ENTRY).map(([name, value]) => [`entries[0].${name}`, value])));
const newPassword = { password: PASSWORD, confirmPassword: PASSWORD };
const ROPE = { startDate: "2026-11-18", endDate: "2026-11-20", location: "Rig", skills: "Rescue", hours: "20" };

/** Every kind of request once, with the data of `seed`. `ids` are those of three unverified entries of `fifty`. */
export function requests([first = 0, second = 0, third = 0]: number[]): Asked[] {
  const get = (path: string, as: Asked["as"], most: number | Asked["most"]): Asked => ({
    method: "GET",
    path,
    as,
    most: typeof most === "number" ? { read: most, written: 0 } : most,
  });
  const post = (path: string, as: Asked["as"], body: Asked["body"], most = FORM): Asked => ({
    method: "POST",
    path,
    as,
    most,
    ...(body && { body }),
  });
  return [
    get("/auth", null, 0),
    get(`/verify/${OPEN_TOKEN}`, null, LINK),
    get(`/success?token=${USED_TOKEN}`, null, LINK),
    get("/reset-password", null, 0),
    get(`/reset-password/${RESET_TOKEN}`, null, RESET_LINK),
    // Each entry is read once for the list, and for the totals once and once more when it is sorted by method; a page shows
    // 100. For the sums of the months on it, the entries of the page are read to find its end, and those of its months twice
    // as for the totals. The newest target and the open requests of what is requested are looked up.
    get("/profile", "fifty", 6 * 50 + 30 + VIEWER),
    get("/profile", "fiveHundred", 100 + 325 + 2 * 500 + 18 + VIEWER),
    get("/profile", "fiveThousand", 100 + 325 + 2 * 5_000 + 18 + VIEWER),
    // With the last requests, which show which supervisor had the last one and which do not know the technician, the
    // open request that has the entry among others, the hours of the entry's day, and the sum of the bytes of the
    // supervisors.
    get(`/profile?request=${first}`, "fifty", 6 * 50 + 60 + VIEWER),
    // The sums of months and of a year's days, grouped: D1 counts two rows for each record. It was 20,541.
    get("/progress", "tenThousand", 2 * 10_000 + 2 * 366 + VIEWER),
    get("/profile/entries", "fifty", VIEWER),
    get("/shift?p=Quay+5", "fifty", VIEWER),
    // Each entry, the hours of its day (those of all days are added up), and what its supervisor stated, from its event. The
    // ids of the part that is read are looked up three times: whether they are too many, for the entries and for the events.
    get("/profile/print", "fifty", 13 * 50 + 4 + VIEWER),
    get("/rope-hours", "fifty", 5 * 50 + 10 + VIEWER),
    get("/rope-hours/new", "fifty", VIEWER),
    // The hours of each user are added up from an index.
    get("/admin", "admin", 18_070 + 2 * 9 + VIEWER),
    get("/admin?tab=entries", "admin", 2 * 51 + 10 + VIEWER),
    get("/api/user", "fifty", VIEWER),
    // A list that may exceed 2 MB reads each row once for its bytes, twice for their running sum, and three times to find and
    // sort those that fit. A page of 100 is not added up, so that it reads each once.
    get("/api/entries", "fifty", 6 * 50 + 2 + VIEWER),
    get("/api/rope-hours", "fifty", 6 * 50 + 3 + VIEWER),
    get("/api/entries?limit=100", "fifty", 50 + 1 + VIEWER),
    get("/api/rope-hours?limit=100", "fifty", 50 + 2 + VIEWER),
    get("/api/supervisors", "fifty", 7 + VIEWER),
    // Each record is read once, and once more when its group is sorted; so is each span between the days that matter.
    get("/api/progress", "fifty", 2 * (50 + 50) + SPANS + VIEWER),
    get("/api/progress", "fiveThousand", 2 * 5_000 + SPANS + VIEWER),
    // No target, but D1 counts four rows for finding none.
    get("/api/targets", "fifty", 4 + VIEWER),
    // Each record once, then each day with records once: it was 28,148.
    get("/admin/progress", "admin", 2 * ALL_RECORDS + VIEWER),
    get(`/api/verify/${OPEN_TOKEN}`, null, LINK),
    get("/api/admin/users", "admin", 7 * 9 + 2 * VIEWER),
    get("/api/admin/users?limit=100", "admin", 2 * 9 + VIEWER),
    post("/profile/entries", "fifty", entryForm, SAVE),
    post("/api/entries", "fifty", { ...ENTRY, hours: 7.5 }, SAVE),
    post(`/profile/request/${first}`, "fifty", form({ supervisor: "1" }), ASK),
    post(`/api/verify-request/${second}`, "fifty", { supervisorId: 1 }, ASK),
    post("/api/verification-requests", "fifty", { supervisorId: 1, records: [{ type: "entry", id: third }] }, ASK),
    { ...post(`/verify/${OPEN_TOKEN}`, null, form({ supervisorName: "Ingrid Solheim" }), ANSWER), hidden: true },
    post("/api/exports", "fifty", { form: "ojt" }, EXPORT),
    post("/profile/exports", "fifty", form({ key: "key-1" }), EXPORT),
    get("/api/exports", "fifty", 2 + 2 + VIEWER),
    post("/rope-hours/new/k", "fifty", form(ROPE), SAVE),
    post("/auth", null, form({ email: "twohundred@example.com", password: PASSWORD })),
    post("/auth?tab=register", null, form({ email: "new@example.com", password: PASSWORD })),
    post("/reset-password", null, form({ email: "fifty@example.com" })),
    post(`/reset-password/${RESET_TOKEN}`, null, form(newPassword)),
    post("/logout", "fifty", form({})),
  ];
}

/** The hidden fields of a page's forms. */
export function hiddenFields(html: string): [name: string, value: string][] {
  const tags = html.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  return tags.map((tag) => [/name="([^"]*)"/.exec(tag)?.[1] ?? "", /value="([^"]*)"/.exec(tag)?.[1] ?? ""]);
}
