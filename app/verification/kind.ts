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

/** The kind whose page, or whose form, has this address, of its owner's or of an admin's. */
export function kindAt({ pathname }: URL): Kind {
  return /^(\/admin)?\/rope-hours\//i.test(pathname) ? "rope_hour" : "entry";
}

/** The address of one record's page. */
export function recordPath(kind: Kind, id: number): string {
  return `${SCREENS[kind].path}/record/${id}`;
}
