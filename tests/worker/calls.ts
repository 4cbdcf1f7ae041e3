import { ACCOUNT } from "./calls/account.ts";
import { ADMIN } from "./calls/admin.ts";
import type { Call } from "./calls/call.ts";
import { CERTIFICATION } from "./calls/certification.ts";
import { ENTRIES } from "./calls/entries.ts";
import { EXPORTS } from "./calls/exports.ts";
import { REQUEST_CALLS } from "./calls/requests.ts";
import { ROPE_HOURS_CALLS } from "./calls/rope-hours.ts";
import { SUPERVISORS } from "./calls/supervisors.ts";
import { TOKENS } from "./calls/tokens.ts";
import { TRANSFER } from "./calls/transfer.ts";
import { VERIFICATION } from "./calls/verification.ts";

/** Every API call, with its description in product.md. */
export const CALLS: Call[] = [
  ...ACCOUNT,
  ...TOKENS,
  ...ENTRIES,
  ...SUPERVISORS,
  ...REQUEST_CALLS,
  ...VERIFICATION,
  ...ROPE_HOURS_CALLS,
  ...EXPORTS,
  ...CERTIFICATION,
  ...TRANSFER,
  ...ADMIN,
];
