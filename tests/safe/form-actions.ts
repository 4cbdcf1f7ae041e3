import type { Action } from "./action.ts";
import { ACCOUNT_FORMS } from "./forms/account.ts";
import { OTHER_FORMS } from "./forms/others.ts";
import { RECORD_FORMS } from "./forms/records.ts";
import { REQUEST_FORMS } from "./forms/requests.ts";

/** Every form of every page. */
export const FORMS: Action[] = [...ACCOUNT_FORMS, ...RECORD_FORMS, ...REQUEST_FORMS, ...OTHER_FORMS];
