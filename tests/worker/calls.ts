import { callsOf, shapeOf } from "#app/api/document.server.ts";
import { HTTP_METHODS } from "#app/api/endpoint.server.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { ACCOUNT } from "./calls/account.ts";
import { ADMIN } from "./calls/admin.ts";
import type { Call, CallRow } from "./calls/call.ts";
import { CERTIFICATION } from "./calls/certification.ts";
import { ENTRIES } from "./calls/entries.ts";
import { ADMIN_EVIDENCE_CALLS, EVIDENCE_CALLS } from "./calls/evidence.ts";
import { EXPORTS } from "./calls/exports.ts";
import { REQUEST_CALLS } from "./calls/requests.ts";
import { ROPE_HOURS_CALLS } from "./calls/rope-hours.ts";
import { SUPERVISORS } from "./calls/supervisors.ts";
import { SERVICE_TOKENS, TOKENS } from "./calls/tokens.ts";
import { TRANSFER } from "./calls/transfer.ts";
import { VERIFICATION } from "./calls/verification.ts";
import type { World } from "./world.ts";

const ROWS: CallRow[] = [
  ...ACCOUNT,
  ...TOKENS,
  ...SERVICE_TOKENS,
  ...ENTRIES,
  ...SUPERVISORS,
  ...REQUEST_CALLS,
  ...VERIFICATION,
  ...ROPE_HOURS_CALLS,
  ...EVIDENCE_CALLS,
  ...ADMIN_EVIDENCE_CALLS,
  ...EXPORTS,
  ...CERTIFICATION,
  ...TRANSFER,
  ...ADMIN,
];

const DESCRIBED = callsOf(ALL_ENDPOINTS);

/** Returns a call with the description of its endpoint. */
function described(row: CallRow): Call {
  const address = row.path({} as World).split("?")[0] ?? ""; // of a world with nothing in it
  const isOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(address);
  const found = DESCRIBED.filter(({ method, endpoint }) => method === row.method && isOf(endpoint.path));
  const call = found.find(({ endpoint }) => endpoint.path === address) ?? found[0];
  if (!call) throw new Error(`no endpoint for ${row.method} ${address}`);
  const { access, operations } = call.endpoint;
  const methods = HTTP_METHODS.filter((method) => operations[method]);
  const allow = methods.flatMap((name) => (name === "GET" ? [name, "HEAD"] : [name])).join(", ");
  const parameters = Object.keys(shapeOf(call.operation));
  return { ...row, access, parameters, status: call.operation.status ?? 200, allow };
}

/** Every API call that docs/api-calls.md lists. */
export const CALLS: Call[] = ROWS.map(described);
