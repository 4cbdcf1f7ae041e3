import { SEARCH_MAX } from "#app/records/log-filter-form.tsx";
import { HOSTILE_TABLES } from "#tests/worker/imports.ts";
import type { LargeWorld, Sent } from "./large-world.ts";
import { LARGEST_FORM, LETTERS } from "./largest-texts.ts";

/*
 * The most that one request may cost (docs/safe.md): `cost.timing.ts` measures these against `npm start` with the
 * largest account there may be and the largest body allowed.
 */

/** A request that is measured. */
export interface CostRow {
  /** The name of the request, where a route has several rows. */
  name: string;
  /** Prepares the request; everything that it needs is made before the measurement. */
  request: (world: LargeWorld) => Sent | Promise<Sent>;
  /** Also sent 30 times at once, or only so: `every-route.timing.ts` has it alone. */
  isHeavy?: boolean | "only";
  /** The statuses that the request may answer; 200 and 201 without it. */
  statuses?: number[];
}

const JSON_TYPE = { "Content-Type": "application/json" };
/** The verified records of the large account to this day, five of each, are as many as a form has (`largeAccount`). */
const LAST_DAY = "2021-02-03";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** An account that is the largest by bytes. */
type OfTexts = keyof LargeWorld["texts"];

const get = (as: Sent["as"], path: string, more: Partial<CostRow> = {}): CostRow[] => [
  { name: path, request: () => ({ as, method: "GET", path }), ...more },
];

const METHODS = ["ET", "RFT", "MT", "PT", "RT", "UT Thk.", "UTSW", "PMI"];
const wide = (rows: number, cell: string, place = "Rig") =>
  [
    ["Date", "Location", ...METHODS].join(),
    ...Array.from({ length: rows }, (_, row) => `2026-11-20,${place} ${row}${`,${cell}`.repeat(METHODS.length)}`),
  ].join("\n");

/** The largest import: 10,000 records of one day. */
let place = 0;
const largestTable = () => wide(1_250, "0.5", `Rig ${++place}.`);

/** Thirty at once of a read of an account that is the largest by bytes. */
const thirty = (as: OfTexts, path: string | ((of: LargeWorld["texts"][OfTexts]) => string), who?: null): CostRow => ({
  name: `${typeof path === "string" ? path.slice(0, 60) : ""} ${as}`.trim(),
  request: ({ texts }) => ({
    as: who === null ? null : as,
    method: "GET",
    path: typeof path === "string" ? path : path(texts[as]),
  }),
  isHeavy: "only",
});

/** A search that differs in its last letter from every text of `bytes`. */
const ALIKE = encodeURIComponent(`${LETTERS["four bytes a character"].repeat(SEARCH_MAX - 1)}x`);

const call = (as: OfTexts, method: string, path: string, body: unknown): Sent => ({
  ...{ as, method, path, headers: JSON_TYPE },
  body: JSON.stringify(body),
});

const PER_BODY = 120; // largest records, in 1 MiB

/** The edit of a record with 1,000 edits that changes each of its texts. */
let edits = 0;
function largestEdit({ texts: { bytes } }: LargeWorld): Sent {
  edits += 1;
  const [letter, other] = [LETTERS["four bytes a character"], "𐐁"];
  const changed = JSON.stringify(bytes.records.entry).replaceAll(letter, edits % 2 ? other : letter);
  return call("bytes", "PATCH", `/api/entries/${bytes.own.entry}`, JSON.parse(changed));
}

/** Returns a request for 100 of the largest records, which are saved first and have no request yet. */
async function largestRequest(world: LargeWorld): Promise<Sent> {
  const { supervisorId, records: largest } = world.texts.bytes;
  const entries = Array.from({ length: 100 }, () => largest.entry);
  const saved = JSON.parse((await world.send(call("bytes", "POST", "/api/entries", entries))).text) as { id: number }[];
  return call("bytes", "POST", "/api/verification-requests", {
    supervisorId,
    records: records(saved.map(({ id }) => id)),
  });
}

/** The export of all its verified records with their details, made once. */
const detailed = new Map<OfTexts, Promise<{ id: number; code: string }>>();
function exportedTexts(world: LargeWorld, as: OfTexts) {
  const made =
    detailed.get(as) ?? world.send(call(as, "POST", "/api/exports", LARGEST_FORM)).then(({ text }) => JSON.parse(text));
  detailed.set(as, made);
  return made;
}

const ofExport = (of: OfTexts, path: (made: { id: number; code: string }) => string): CostRow => ({
  name: `an export of the largest texts, ${of}`,
  request: async (world) => ({ as: of, method: "GET", path: path(await exportedTexts(world, of)) }),
  isHeavy: "only",
});

const usedNotices = { confirm: 0, disown: 0 };
const answerOfTexts = (world: LargeWorld, use: "confirm" | "disown"): Sent => {
  const notice = world.texts.bytes.notices[usedNotices[use]++];
  if (!notice) throw new Error("all notices are answered");
  return {
    as: null,
    method: "POST",
    path: `/api/${use}/${world.noticeToken(use, notice)}`,
    headers: JSON_TYPE,
    body: "{}",
  };
};

const csv = (body: string, kind = "entries"): Sent => ({
  as: "large",
  method: "POST",
  path: `/api/imports?kind=${kind}`,
  headers: { "Content-Type": "text/csv" },
  body,
});

/** The tables that cost a reader most, of those in `HOSTILE_TABLES`. */
const COSTLY = [
  ...["letters and commas", "quotes and commas", "text after closed quotes", "accents out of order"],
  ...["quotes that close no cell, before spaces", "spaces in a mark"],
];
const HOSTILE = HOSTILE_TABLES.filter(({ name }) => COSTLY.includes(name));

const records = (ids: number[]) => ids.map((id) => ({ type: "entry", id }));

/** Returns a request for 100 records that have none yet. */
const newRequest = (world: LargeWorld): Sent => ({
  as: "large",
  method: "POST",
  path: "/api/verification-requests",
  headers: JSON_TYPE,
  body: JSON.stringify({ supervisorId: world.supervisorId, records: records(world.pending(100)) }),
});

async function madeRequest(world: LargeWorld): Promise<{ id: number; verificationToken: string }> {
  return JSON.parse((await world.send(newRequest(world))).text);
}

/** Answers all of a notice that has no answer yet. */
const answerNotice = (world: LargeWorld, use: "confirm" | "disown"): Sent => ({
  as: null,
  method: "POST",
  path: `/api/${use}/${world.notice(use, true)}`,
  headers: JSON_TYPE,
  body: "{}",
});

async function upload(world: LargeWorld, body = largestTable()): Promise<number> {
  return JSON.parse((await world.send(csv(body))).text).id;
}

/** The import of 10,000 records, applied to an account that has room for as many. */
async function apply(world: LargeWorld): Promise<Sent> {
  const { text } = await world.send({ ...csv(largestTable()), as: "importing" });
  return { as: "importing", method: "POST", path: `/api/imports/${JSON.parse(text).id}/apply` };
}

/** Removes what an import created, so that the account has room again. */
const undo = ({ path }: Sent): Sent => ({ as: "importing", method: "DELETE", path: path.replace("/apply", "") });

async function undoApplied(world: LargeWorld): Promise<Sent> {
  const sent = await apply(world);
  await world.send(sent);
  return { ...undo(sent), after: () => world.removeDeleted() };
}

const mapping = ["date", "location", ...["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI"]];

const newExport: Sent = {
  as: "large",
  method: "POST",
  path: "/api/exports",
  headers: JSON_TYPE,
  body: JSON.stringify({ form: "ojt", to: LAST_DAY }),
};

/** The export of 2,000 verified records that the checks and the print page show, made once. */
let madeExport: Promise<{ id: number; code: string }> | undefined;
function exported(world: LargeWorld): NonNullable<typeof madeExport> {
  madeExport ??= world.send(newExport).then(({ text }) => JSON.parse(text));
  return madeExport;
}

const checkOf = (path: string, more: Partial<CostRow> = {}): CostRow[] => [
  {
    name: `${path} of all verified records`,
    ...more,
    request: async (world) => ({ as: null, method: "GET", path: path + (await exported(world)).code }),
  },
];

/**
 * The requests of the largest account and with the largest bodies, where a usual request of the route does not show
 * their cost. Every other route is measured with the request of `reads.ts` or `actions.ts` (`every-route.timing.ts`).
 */
export const COSTS: Record<string, CostRow[]> = {
  "GET /healthz": get(null, "/healthz", { isHeavy: true }),

  "POST /api/imports": [
    { name: "10,000 records of one day", request: () => csv(largestTable()), isHeavy: true },
    {
      name: "a sheet of the largest records",
      request: ({ texts: { bytes } }) => ({ ...csv(bytes.sheet), as: "bytes" }),
      isHeavy: true,
    },
    { name: "5,000 wide rows full of problems", request: () => csv(wide(5_000, "x")), isHeavy: true },
    ...HOSTILE.map(({ name, kind, text }) => ({ name, request: () => csv(text, kind), statuses: [201, 400] })),
    {
      name: "JSON",
      request: () => ({ ...csv(JSON.stringify({ text: largestTable() })), headers: JSON_TYPE }),
    },
  ],
  "PATCH /api/imports/:id": [
    {
      name: "other columns",
      request: async (world) => ({
        as: "large",
        method: "PATCH",
        path: `/api/imports/${await upload(world)}`,
        headers: JSON_TYPE,
        body: JSON.stringify({ mapping }),
      }),
      statuses: [200, 409], // of 30 at once one is the first
      isHeavy: true,
    },
  ],
  "POST /api/imports/:id/apply": [
    {
      name: "10,000 records into 10,000 of that day",
      request: async (world) => {
        const sent = await apply(world);
        return {
          ...sent,
          after: async () => {
            await world.send(undo(sent), [200, 204, 404]);
            await world.removeDeleted();
          },
        };
      },
      statuses: [200, 409], // of 30 at once one is the first
      isHeavy: true,
    },
  ],
  "DELETE /api/imports/:id": [{ name: "10,000 records", request: undoApplied }],
  "POST /import": [
    {
      name: "pasted text",
      request: () => ({
        as: "large",
        method: "POST",
        path: "/import",
        headers: FORM,
        body: new URLSearchParams({ kind: "entry", text: largestTable() }).toString(),
      }),
      statuses: [303],
    },
    {
      name: "a file in a form of several parts",
      request: () => ({
        as: "large",
        method: "POST",
        path: "/import",
        headers: { "Content-Type": "multipart/form-data; boundary=b" },
        body: `--b\r\nContent-Disposition: form-data; name="kind"\r\n\r\nentry\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${largestTable()}\r\n--b--\r\n`,
      }),
      statuses: [303],
    },
  ],
  "GET /import/:id": [
    {
      name: "the preview of 10,000 records",
      request: async (world) => ({ as: "large", method: "GET", path: `/import/${await upload(world)}` }),
    },
  ],

  "POST /api/entries": [
    {
      name: "the largest records",
      request: ({ texts: { bytes } }) =>
        call(
          "bytes",
          "POST",
          "/api/entries",
          Array.from({ length: PER_BODY }, () => bytes.records.entry),
        ),
      isHeavy: true,
    },
  ],
  "PATCH /api/entries/:id": [
    { name: "all texts of a record with 1,000 edits", request: largestEdit, statuses: [200, 409], isHeavy: true },
  ],

  "GET /api/export.csv": [
    thirty("bytes", "/api/export.csv?kind=entries"),
    ...get("large", "/api/export.csv?kind=entries", { isHeavy: true }),
    ...get("large", "/api/export.csv?kind=rope_hours"),
  ],
  "GET /api/export.xlsx": [
    thirty("bytes", "/api/export.xlsx?kind=entries"),
    ...get("large", "/api/export.xlsx?kind=entries", { isHeavy: true }),
  ],
  "GET /api/admin/export.xlsx": get("admin", "/api/admin/export.xlsx?tab=entries", { isHeavy: true }),
  "GET /api/admin/export.csv": [
    ...get("admin", "/api/admin/export.csv?tab=entries", { isHeavy: true }),
    ...get("admin", "/api/admin/export.csv?tab=users"),
    ...get("admin", "/api/admin/export.csv?tab=entries&search=nowhere"),
  ],
  "GET /api/openapi.json": get(null, "/api/openapi.json", { isHeavy: true }),

  "POST /api/verification-requests": [
    { name: "100 records", request: newRequest },
    { name: "100 of the largest records", request: largestRequest },
  ],
  "DELETE /api/verification-requests/:id": [
    {
      name: "100 records",
      request: async (world) => {
        const { id } = await madeRequest(world);
        return { as: "large", method: "DELETE", path: `/api/verification-requests/${id}` };
      },
    },
  ],
  "GET /verify/:token": [
    thirty("escaped", ({ requests }) => `/verify/${requests.rope_hour?.token}`, null),
    {
      name: "100 records",
      request: async (world) => ({
        as: null,
        method: "GET",
        path: `/verify/${(await madeRequest(world)).verificationToken}`,
      }),
      isHeavy: true,
    },
  ],
  "GET /api/verify/:token": [
    thirty("escaped", ({ requests }) => `/api/verify/${requests.rope_hour?.token}`, null),
    {
      name: "100 records",
      request: async (world) => ({
        as: null,
        method: "GET",
        path: `/api/verify/${(await madeRequest(world)).verificationToken}`,
      }),
    },
  ],
  "POST /api/verify/:token": [
    {
      name: "100 of the largest records",
      request: async (world) => {
        const { verificationToken } = JSON.parse((await world.send(await largestRequest(world))).text);
        const body = JSON.stringify({ supervisorName: "Ola Hansen" });
        return { as: null, method: "POST", headers: JSON_TYPE, path: `/api/verify/${verificationToken}`, body };
      },
    },
    {
      name: "100 records",
      request: async (world) => ({
        as: null,
        method: "POST",
        headers: JSON_TYPE,
        path: `/api/verify/${(await madeRequest(world)).verificationToken}`,
        body: JSON.stringify({ supervisorName: "Ola Hansen" }),
      }),
    },
  ],

  "GET /confirm/:token": [
    {
      name: "a notice of 1,500 records",
      request: (world) => ({ as: null, method: "GET", path: `/confirm/${world.notice("confirm", false)}` }),
      isHeavy: true,
    },
  ],
  "GET /api/disown/:token": [
    {
      name: "a notice of 1,500 records",
      request: (world) => ({ as: null, method: "GET", path: `/api/disown/${world.notice("disown", false)}` }),
      isHeavy: true,
    },
  ],
  "POST /api/confirm/:token": [
    { name: "a notice of 1,500 records", request: (world) => answerNotice(world, "confirm") },
    { name: "a notice of 300 of the largest records", request: (world) => answerOfTexts(world, "confirm") },
  ],
  "POST /api/disown/:token": [
    { name: "a notice of 1,500 records", request: (world) => answerNotice(world, "disown") },
    { name: "a notice of 300 of the largest records", request: (world) => answerOfTexts(world, "disown") },
  ],

  "POST /api/auth/register": [
    {
      name: "a new account",
      request: () => ({
        as: null,
        method: "POST",
        path: "/api/auth/register",
        headers: JSON_TYPE,
        body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery" }),
      }),
    },
  ],
  "POST /api/exports": [
    {
      name: "the largest form",
      request: () => call("bytes", "POST", "/api/exports", LARGEST_FORM),
    },
    {
      name: "2,000 verified records",
      request: () => newExport,
    },
  ],
  "GET /api/export.json": [...get("large", "/api/export.json", { isHeavy: true }), thirty("bytes", "/api/export.json")],
  "GET /profile/print/:id?": [
    ...get("large", `/profile/print?to=${LAST_DAY}`, { isHeavy: true }),
    thirty("bytes", `/profile/print?from=${LARGEST_FORM.from}`),
    ofExport("escaped", ({ id }) => `/profile/print/${id}`),
    {
      name: "of an export of 2,000 verified records",
      request: async (world) => ({ as: "large", method: "GET", path: `/profile/print/${(await exported(world)).id}` }),
    },
  ],
  "GET /rope-hours/print/:id?": get("large", `/rope-hours/print?to=${LAST_DAY}`),
  "GET /profile": [
    thirty("escaped", "/profile"),
    thirty("bytes", `/profile?q=${ALIKE}`),
    ...get("large", "/profile", { isHeavy: true }),
    ...get("large", "/profile?q=nowhere"),
    ...get("large", "/profile?q=dock&method=MT&status=verified"),
  ],
  "GET /api/entries": [
    ...get("large", "/api/entries", { isHeavy: true }),
    thirty("bytes", "/api/entries"),
    thirty("bytes", `/api/entries?q=${ALIKE}`),
  ],
  "GET /rope-hours": [thirty("escaped", "/rope-hours")],
  "GET /api/rope-hours": [thirty("bytes", "/api/rope-hours")],
  "GET /profile/record/:id": [thirty("bytes", ({ own }) => `/profile/record/${own.entry}`)],
  "GET /api/admin/entries": get("admin", "/api/admin/entries", { isHeavy: "only" }),
  "GET /requests/:id": [thirty("escaped", ({ requests }) => `/requests/${requests.rope_hour?.id}`)],
  "GET /api/verification-requests": [thirty("bytes", "/api/verification-requests")],
  "GET /supervisors": [thirty("escaped", "/supervisors")],
  "GET /api/targets": [thirty("bytes", "/api/targets")],
  "GET /progress": [
    ...get("large", "/progress", { isHeavy: true }),
    thirty("escaped", "/progress"),
    ...get("scattered", "/progress", { name: "as many standards and months as records", isHeavy: true }),
  ],
  "GET /progress/print": get("large", "/progress/print"),
  "GET /api/progress": [
    ...get("large", "/api/progress", { isHeavy: true }),
    ...get("scattered", "/api/progress", { name: "as many standards and months as records" }),
  ],
  "GET /admin": get("admin", "/admin?tab=entries&search=nowhere"),
  "GET /admin/progress": get("admin", "/admin/progress?preset=iso-9712-level-1&sort=verified", { isHeavy: true }),
  "GET /c/:code": [...checkOf("/c/", { isHeavy: true }), ofExport("bytes", ({ code }) => `/c/${code}`)],
  "GET /api/check/:code": [
    ...checkOf("/api/check/", { isHeavy: true }),
    ofExport("bytes", ({ code }) => `/api/check/${code}`),
  ],
};
