import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Entry } from "#app/hours/entries.server.ts";
import type { RopeHours } from "#app/hours/rope-hours.server.ts";
import { idFrom } from "#app/http/api.server.ts";
import { redirectTo } from "#app/http/redirect.server.ts";
import { type SupervisorRules, supervisorRules } from "#app/supervisors/supervisor-rules.server.ts";
import type { Supervisor } from "#app/supervisors/supervisors.server.ts";
import { type Kind, SCREENS } from "./kind.ts";
import { type RequestedRecord, verificationUrl } from "./request.server.ts";

/** What the dialog of a page shows. */
export interface DialogFacts {
  kind: Kind;
  record: Entry | RopeHours;
  supervisors: Supervisor[];
  rules: SupervisorRules;
  /** The link, where `&link` asks for the second half of the dialog and there is one. */
  url: string | null;
}

/** The id of the record that a page's address asks about, `?request={id}`; 0, which nothing has, without one. */
export function requestedId({ searchParams }: URL): number {
  return idFrom(searchParams.get("request"));
}

/**
 * The dialog of a page that lists records of a kind, from the answers to `requestableWith`; null without `?request`.
 * @throws {Response} a redirect to the page alone, which says why nobody can be asked about that record
 */
export async function dialogOf(
  context: AppLoadContext,
  kind: Kind,
  { searchParams }: URL,
  found: { entry: RequestedRecord[]; ropeHours: RequestedRecord[]; supervisors: Supervisor[] },
): Promise<DialogFacts | null> {
  if (!searchParams.has("request")) return null;
  const record = found.entry[0] ?? found.ropeHours[0];
  if (!record || record.verified) {
    const { path, verified, missing } = SCREENS[kind];
    const text = record ? verified : missing;
    throw await redirectTo(context, path, { toast: { kind: "error", title: "Error", text } });
  }
  const { verificationToken, ...rest } = record;
  const url = searchParams.has("link") && verificationToken ? verificationUrl(context, verificationToken) : null;
  return { kind, record: rest, supervisors: found.supervisors, rules: supervisorRules, url };
}
