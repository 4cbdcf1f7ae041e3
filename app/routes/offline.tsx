import type { MetaFunction } from "@remix-run/cloudflare";
import { useMatches } from "@remix-run/react";
import type { ReactNode } from "react";
import { InputField } from "#app/forms/field.tsx";
import type { TextRule } from "#app/forms/field-rules.ts";
import offlineStyles from "#app/offline/offline.css?inline";
import { OFFLINE_KINDS, type OfflineKind } from "#app/offline/row.ts";
import { entryRules } from "#app/records/entry/entry.kind.ts";
import { ENTRY_INPUTS } from "#app/records/entry/entry-rules.ts";
import { ropeHoursRules } from "#app/records/rope-hours/rope-hours.kind.ts";
import { ROPE_INPUTS } from "#app/records/rope-hours/rope-rules.ts";
import type { RouteHandle } from "#app/server/route.ts";
import { Mark } from "#app/ui/page.tsx";

/**
 * The forms that the service worker keeps for when there is no signal, one for each of two routes. They are the same for
 * everyone, and their script fills in the rest.
 */
export const handle = { access: "public", script: "offline", css: offlineStyles } satisfies RouteHandle;

const isOfRopeHours = (matches: { id: string }[]) => matches.at(-1)?.id === "routes/offline.rope-hours";

export const meta: MetaFunction = ({ matches }) => [
  { title: `No signal · ${isOfRopeHours(matches) ? "Rope Hours" : "OJT Hours"} · Hours Tracker` },
];

export default function Offline() {
  return isOfRopeHours(useMatches()) ? <RopeHours /> : <Entries />;
}

/** Returns the attributes of a field that no server fills in. */
const plain = (name: string) => ({
  id: name,
  name,
  errors: undefined,
  errorId: "",
  initialValue: undefined,
  required: false,
});

/** The message of each text for the script of the form. */
function wrongOf<Name extends string>(rules: Record<Name, TextRule>) {
  const wrong = Object.entries<TextRule>(rules).map(([name, { required }]) => [name, { "data-wrong": required }]);
  return Object.fromEntries(wrong) as Record<Name, { "data-wrong": string | undefined }>; // the names of the rules
}

function Entries() {
  const { text, hours } = entryRules;
  const rules = { ...wrongOf(text), hours: { "data-min": hours.min, "data-wrong": hours.tooFew } };
  return (
    <OfflineScreen kind="entry" title="Add New OJT Hours">
      {ENTRY_INPUTS.map((input) => (
        <InputField key={input.name} input={input} field={plain(input.name)} {...rules[input.name]} />
      ))}
      <button type="submit">Save Entries</button>
    </OfflineScreen>
  );
}

function RopeHours() {
  const { text, hours, endAfterStart } = ropeHoursRules;
  const rules = { ...wrongOf(text), hours: { "data-min": 0, "data-wrong": hours.required } };
  return (
    <OfflineScreen kind="rope_hour" title="Add rope hours" after={endAfterStart}>
      {ROPE_INPUTS.map((input) => (
        <InputField key={input.name} input={input} field={plain(input.name)} {...rules[input.name]} />
      ))}
      <button type="submit">Log Rope Hours</button>
    </OfflineScreen>
  );
}

const TABS = [
  { href: "/profile", label: "OJT Hours" },
  { href: "/rope-hours", label: "Rope Hours" },
];

interface OfflineScreenProps {
  kind: OfflineKind;
  title: string;
  /** The message for an end that is not after the start. */
  after?: string;
  children: ReactNode;
}

function OfflineScreen({ kind, title, after, children }: OfflineScreenProps) {
  const { log: home, form: action } = OFFLINE_KINDS[kind];
  return (
    <>
      <header className="top">
        <p className="brand">
          <Mark />
          Hours Tracker
        </p>
        <nav aria-label="Sections">
          {TABS.map(({ href, label }) => (
            <a key={href} href={href} aria-current={href === home ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <main>
        <div className="notice waiting" role="status" id="signal">
          <h1>No signal</h1>
          <p>This page needs JavaScript.</p>
        </div>
        <div id="queue" hidden />
        {/* No section: the style sheet shows those, also a hidden one. */}
        <div id="form" hidden>
          <form id={kind} action={action} className="form" data-home={home} data-after={after} noValidate>
            <h2>{title}</h2>
            {children}
          </form>
        </div>
      </main>
    </>
  );
}
