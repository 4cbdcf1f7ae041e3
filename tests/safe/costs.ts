import { HOSTILE_TABLES } from "#tests/worker/imports.ts";
import type { LargeWorld, Sent } from "./large-world.ts";

/*
 * What one request may cost, for every route and method (docs/safe.md). `cost.timing.ts` measures the rows against
 * `npm start` with the largest account there may be and the largest body allowed.
 */

/** A request that is measured. */
export interface CostRow {
  /** What is sent, where a route has several rows. */
  name: string;
  /** Prepares the request; everything that it needs is made before the measurement. */
  request: (world: LargeWorld) => Sent | Promise<Sent>;
  /** Also sent 30 times at once. */
  isHeavy?: boolean;
  /** The statuses that the request may answer; 200 and 201 without it. */
  statuses?: number[];
}

/** The rows of a route that is not measured yet. */
export const LATER = "later";

/** A token that no link has. */
const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

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

const csv = (body: string): Sent => ({
  ...{ as: "large", method: "POST", path: "/api/imports", headers: { "Content-Type": "text/csv" }, body },
});

/** The tables that cost a reader most, of those in `HOSTILE_TABLES`. */
const HOSTILE = ["letters and commas", "quotes and commas", "text after closed quotes", "accents out of order"];

const records = (ids: number[]) => ids.map((id) => ({ type: "entry", id }));

/** A request for 100 records that nobody has asked for yet. */
const newRequest = (world: LargeWorld): Sent => ({
  ...{ as: "large", method: "POST", path: "/api/verification-requests", headers: JSON_TYPE },
  body: JSON.stringify({ supervisorId: world.supervisorId, records: records(world.pending(100)) }),
});

async function madeRequest(world: LargeWorld): Promise<{ id: number; verificationToken: string }> {
  return JSON.parse((await world.send(newRequest(world))).text);
}

async function upload(world: LargeWorld, body = largestTable()): Promise<number> {
  return JSON.parse((await world.send(csv(body))).text).id;
}

async function applied(world: LargeWorld): Promise<number> {
  const id = await upload(world);
  await world.send({ as: "large", method: "POST", path: `/api/imports/${id}/apply` });
  return id;
}

/** Removes what an import created, so that the account stays as large as it was. */
const undo = (id: number): Sent => ({ as: "large", method: "DELETE", path: `/api/imports/${id}` });

const mapping = ["date", "location", ...["ET", "RFT", "MT", "PT", "RT", "UT_THK", "UTSW", "PMI"]];

/** Every route and method. A route without a row fails `cost.test.ts`. */
export const COSTS: Record<string, CostRow[] | typeof LATER> = {
  "GET /healthz": get(null, "/healthz", { isHeavy: true }),

  "POST /api/imports": [
    { name: "10,000 records of one day", request: () => csv(largestTable()), isHeavy: true },
    { name: "5,000 wide rows full of problems", request: () => csv(wide(5_000, "x")), isHeavy: true },
    ...HOSTILE.map((name) => ({ name, request: () => csv(HOSTILE_TABLES[name] ?? ""), statuses: [201, 400] })),
    {
      name: "JSON",
      request: () => ({ ...csv(JSON.stringify({ text: largestTable() })), headers: JSON_TYPE }),
    },
  ],
  "PATCH /api/imports/:id": [
    {
      name: "other columns",
      request: async (world) => ({
        ...{ as: "large", method: "PATCH", path: `/api/imports/${await upload(world)}`, headers: JSON_TYPE },
        body: JSON.stringify({ mapping }),
      }),
      isHeavy: true,
    },
  ],
  "POST /api/imports/:id/apply": [
    {
      name: "10,000 records into 20,000, half of them of that day",
      request: async (world) => {
        const id = await upload(world);
        return { as: "large", method: "POST", path: `/api/imports/${id}/apply`, after: () => world.send(undo(id)) };
      },
      isHeavy: true,
    },
  ],
  "DELETE /api/imports/:id": [{ name: "10,000 records", request: async (world) => undo(await applied(world)) }],
  "GET /import": get("large", "/import"),
  "POST /import": [
    {
      name: "pasted text",
      request: () => ({
        ...{ as: "large", method: "POST", path: "/import", headers: FORM },
        body: new URLSearchParams({ kind: "entry", text: largestTable() }).toString(),
      }),
      statuses: [303],
    },
    {
      name: "a file in a form of several parts",
      request: () => ({
        ...{ as: "large", method: "POST", path: "/import" },
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
  "GET /import/:id/apply": LATER,
  "POST /import/:id/apply": LATER,
  "GET /import/:id/undo": LATER,
  "POST /import/:id/undo": LATER,
  "POST /import/:id": LATER,
  "GET /import/brought-forward/:key?": LATER,
  "POST /import/brought-forward/:key?": LATER,

  "GET /api/export.csv": [
    ...get("large", "/api/export.csv?kind=entries", { isHeavy: true }),
    ...get("large", "/api/export.csv?kind=rope_hours"),
  ],
  "GET /api/export.json": LATER, // 32 MB: bounded with what an account may hold
  "GET /api/admin/export.csv": [
    ...get("admin", "/api/admin/export.csv?tab=entries", { isHeavy: true }),
    ...get("admin", "/api/admin/export.csv?tab=users"),
    ...get("admin", "/api/admin/export.csv?tab=entries&search=nowhere"),
  ],
  "GET /api/openapi.json": get(null, "/api/openapi.json", { isHeavy: true }),

  "POST /api/verification-requests": [{ name: "100 records", request: newRequest }],
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
      name: "100 records",
      request: async (world) => ({
        ...{ as: null, method: "POST", headers: JSON_TYPE },
        path: `/api/verify/${(await madeRequest(world)).verificationToken}`,
        body: JSON.stringify({ supervisorName: "Ola Hansen" }),
      }),
    },
  ],
  "POST /verify/:token": LATER,
  "POST /api/verify/:token/decline": LATER,

  "GET /api/tokens": get("large", "/api/tokens"),
  "POST /api/tokens": [
    {
      name: "a name of 1 MiB",
      request: () => ({
        ...{ as: "large", method: "POST", path: "/api/tokens", headers: JSON_TYPE },
        body: JSON.stringify({ name: "x".repeat(1024 * 1024 - 100), access: "read" }),
      }),
      statuses: [400],
    },
  ],
  "DELETE /api/tokens/:id": LATER,
  "POST /api/auth/register": [
    {
      name: "a new account",
      request: () => ({
        ...{ as: null, method: "POST", path: "/api/auth/register", headers: JSON_TYPE },
        body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery" }),
      }),
    },
    {
      name: "an address of 1 MiB",
      request: () => ({
        ...{ as: null, method: "POST", path: "/api/auth/register", headers: JSON_TYPE },
        body: JSON.stringify({ email: `a@${"a.".repeat(500_000)}b`, password: "correct horse battery" }),
      }),
      statuses: [400],
    },
  ],
  "GET /account/email/resend": get("large", "/account/email/resend", { statuses: [200, 303, 405] }),
  "POST /account/email/resend": [
    {
      name: "the link once more",
      request: () => ({ as: "large", method: "POST", path: "/account/email/resend", headers: FORM, body: "" }),
      statuses: [200, 303, 429],
    },
  ],
  "GET /account/email/:token": get(null, `/account/email/${UNKNOWN}`, { statuses: [400, 429] }),
  "POST /account/email/:token": [
    {
      name: "an unknown link",
      request: () => ({ as: null, method: "POST", path: `/account/email/${UNKNOWN}`, headers: FORM, body: "" }),
      statuses: [400, 429],
    },
  ],
  "POST /api/user/email/:token": [
    {
      name: "an unknown link",
      request: () => ({ as: null, method: "POST", path: `/api/user/email/${UNKNOWN}` }),
      statuses: [400, 429],
    },
  ],
  "POST /api/user/email/resend": [
    {
      name: "the link once more",
      request: () => ({ as: "large", method: "POST", path: "/api/user/email/resend" }),
      statuses: [200, 429],
    },
  ],

  "GET /api/exports": get("large", "/api/exports"),
  "POST /api/exports": [
    {
      name: "10,000 records",
      request: () => ({
        ...{ as: "large", method: "POST", path: "/api/exports", headers: JSON_TYPE },
        body: JSON.stringify({ kind: "entries" }),
      }),
    },
  ],
  // Above 30 × for 10,000 records: bounded with what an account may hold.
  "GET /profile/print/:id?": LATER,
  "GET /rope-hours/print/:id?": LATER,

  // Measured with the next routes.
  "GET /profile/request/:id/:key?": LATER,
  "POST /profile/request/:id/:key?": LATER,
  "GET /profile/exports": LATER,
  "POST /profile/exports": LATER,
  "GET /profile/record/:id": LATER,
  "GET /profile/record/:id/withdraw": LATER,
  "POST /profile/record/:id/withdraw": LATER,
  "GET /profile/record/:id/edit": LATER,
  "POST /profile/record/:id/edit": LATER,
  "GET /profile/record/:id/delete": LATER,
  "POST /profile/record/:id/delete": LATER,
  "GET /profile/record/:id/restore": LATER,
  "POST /profile/record/:id/restore": LATER,
  "GET /admin/entry/:id": LATER,
  "PATCH /api/entries/:id": LATER,
  "DELETE /api/entries/:id": LATER,
  "POST /api/entries/:id/restore": LATER,
  "GET /api/entries/:id/verification": LATER,
  "POST /api/verify-request/:id": LATER,
  "DELETE /api/verify-request/:id": LATER,
  "GET /api/admin/entries": LATER,
  "DELETE /api/admin/entries/:id": LATER,
  "GET /api/admin/entries/:id/verification": LATER,
  "GET /rope-hours/request/:id/:key?": LATER,
  "POST /rope-hours/request/:id/:key?": LATER,
  "GET /rope-hours/exports": LATER,
  "POST /rope-hours/exports": LATER,
  "GET /rope-hours/record/:id": LATER,
  "GET /rope-hours/record/:id/withdraw": LATER,
  "POST /rope-hours/record/:id/withdraw": LATER,
  "GET /rope-hours/record/:id/edit": LATER,
  "POST /rope-hours/record/:id/edit": LATER,
  "GET /rope-hours/record/:id/delete": LATER,
  "POST /rope-hours/record/:id/delete": LATER,
  "GET /rope-hours/record/:id/restore": LATER,
  "POST /rope-hours/record/:id/restore": LATER,
  "GET /admin/rope-hours/:id": LATER,
  "PATCH /api/rope-hours/:id": LATER,
  "DELETE /api/rope-hours/:id": LATER,
  "POST /api/rope-hours/:id/restore": LATER,
  "GET /api/rope-hours/:id/verification": LATER,
  "POST /api/verify-request-rope/:id": LATER,
  "DELETE /api/verify-request-rope/:id": LATER,
  "GET /api/admin/rope-hours": LATER,
  "DELETE /api/admin/rope-hours/:id": LATER,
  "GET /api/admin/rope-hours/:id/verification": LATER,
  "GET /": LATER,
  "GET /auth": LATER,
  "POST /auth": LATER,
  "GET /logout": LATER,
  "POST /logout": LATER,
  "GET /profile": LATER,
  "GET /profile/entries/:key?": LATER,
  "POST /profile/entries/:key?": LATER,
  "GET /rope-hours": LATER,
  "GET /rope-hours/new/:key?": LATER,
  "POST /rope-hours/new/:key?": LATER,
  "GET /account": LATER,
  "GET /account/details": LATER,
  "POST /account/details": LATER,
  "GET /account/password": LATER,
  "POST /account/password": LATER,
  "GET /account/email": LATER,
  "POST /account/email": LATER,
  "GET /account/sessions": LATER,
  "POST /account/sessions": LATER,
  "GET /account/end-token": LATER,
  "POST /account/end-token": LATER,
  "GET /account/tokens/:key?": LATER,
  "POST /account/tokens/:key?": LATER,
  "GET /account/exports/:id": LATER,
  "POST /account/exports/:id": LATER,
  "GET /account/delete": LATER,
  "POST /account/delete": LATER,
  "GET /admin": LATER,
  "POST /admin": LATER,
  "GET /admin/progress": LATER,
  "GET /supervisors": LATER,
  "GET /supervisors/:id": LATER,
  "POST /supervisors/:id": LATER,
  "GET /supervisors/:id/delete": LATER,
  "POST /supervisors/:id/delete": LATER,
  "GET /requests": LATER,
  "GET /requests/new/:key?": LATER,
  "POST /requests/new/:key?": LATER,
  "GET /requests/:id": LATER,
  "GET /requests/:id/remind": LATER,
  "POST /requests/:id/remind": LATER,
  "GET /requests/:id/reminders": LATER,
  "POST /requests/:id/reminders": LATER,
  "GET /requests/:id/withdraw": LATER,
  "POST /requests/:id/withdraw": LATER,
  "GET /offline/entries": LATER,
  "GET /offline/rope-hours": LATER,
  "GET /progress": LATER,
  "GET /progress/print": LATER,
  "GET /progress/targets/new/:key?": LATER,
  "POST /progress/targets/new/:key?": LATER,
  "GET /progress/targets/:id": LATER,
  "POST /progress/targets/:id": LATER,
  "GET /progress/targets/:id/delete": LATER,
  "POST /progress/targets/:id/delete": LATER,
  "GET /success": LATER,
  "GET /inbox": LATER,
  "POST /inbox": LATER,
  "GET /inbox/:token": LATER,
  "GET /disown/:token": LATER,
  "POST /disown/:token": LATER,
  "GET /unsubscribe/:token": LATER,
  "POST /unsubscribe/:token": LATER,
  "GET /c/:code": LATER,
  "GET /check": LATER,
  "GET /reset-password": LATER,
  "POST /reset-password": LATER,
  "GET /reset-password/:token": LATER,
  "POST /reset-password/:token": LATER,
  "GET /.well-known/jwks.json": LATER,
  "GET /checkpoint": LATER,
  "GET /api/user": LATER,
  "PATCH /api/user": LATER,
  "DELETE /api/user": LATER,
  "POST /api/user/password": LATER,
  "POST /api/user/email": LATER,
  "GET /api/user/sessions": LATER,
  "DELETE /api/user/sessions": LATER,
  "DELETE /api/user/sessions/:reference": LATER,
  "POST /api/auth/login": LATER,
  "POST /api/auth/logout": LATER,
  "POST /api/auth/reset-password": LATER,
  "POST /api/auth/reset-password/:token": LATER,
  "GET /api/entries": LATER,
  "POST /api/entries": LATER,
  "GET /api/rope-hours": LATER,
  "POST /api/rope-hours": LATER,
  "GET /api/supervisors": LATER,
  "POST /api/supervisors": LATER,
  "PATCH /api/supervisors/:id": LATER,
  "DELETE /api/supervisors/:id": LATER,
  "GET /api/verification-requests": LATER,
  "GET /api/verification-requests/:id": LATER,
  "PATCH /api/verification-requests/:id": LATER,
  "POST /api/verification-requests/:id/remind": LATER,
  "GET /api/targets": LATER,
  "POST /api/targets": LATER,
  "PATCH /api/targets/:id": LATER,
  "DELETE /api/targets/:id": LATER,
  "GET /api/target-presets": LATER,
  "GET /api/progress": LATER,
  "GET /api/disown/:token": LATER,
  "POST /api/disown/:token": LATER,
  "DELETE /api/exports/:id": LATER,
  "GET /api/check/:code": LATER,
  "POST /api/supervisor-inbox": LATER,
  "GET /api/admin/progress.csv": LATER,
  "GET /api/admin/users": LATER,
  "DELETE /api/admin/users/:id": LATER,
  "GET /*": LATER,
};
