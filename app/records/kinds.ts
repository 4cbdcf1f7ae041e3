import type { AppLoadContext } from "@remix-run/cloudflare";
import type { RecordKind } from "#app/db/enumerations.ts";

/** The two kinds of record that a supervisor can stand behind. */
export type Kind = RecordKind;

interface Screen {
  /** The page of its records; the dialog is `{path}?request={id}` and is sent to `{path}/request/{id}`. */
  path: string;
  /** Where there is no such record, or it is somebody else's. */
  missing: string;
  /** Where nobody can be asked any more. */
  verified: string;
}

/** What differs between the kinds where their owner asks for a verification. */
export const SCREENS: Record<Kind, Screen> = {
  entry: {
    path: "/profile",
    missing: "There is no such entry in your log.",
    verified: "This entry is already verified.",
  },
  rope_hour: {
    path: "/rope-hours",
    missing: "There are no such rope hours in your log.",
    verified: "These rope hours are already verified.",
  },
};

/**
 * The kind of record that the matched route is about. It never comes from the URL, which has many spellings.
 * @throws {Error} on a route that is about no kind
 */
export function kindOf({ kind, visit }: AppLoadContext): Kind {
  if (!kind) throw new Error(`the route ${visit.route} is about no kind of record`);
  return kind;
}

/** The address of one record's page. */
export function recordPath(kind: Kind, id: number): string {
  return `${SCREENS[kind].path}/record/${id}`;
}
