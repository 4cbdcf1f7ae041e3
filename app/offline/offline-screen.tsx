import type { ReactNode } from "react";
import { Field } from "#app/forms/field.tsx";
import { DateField, HoursField, LocationField, MethodField } from "#app/records/entry/entry-fields.tsx";
import { entryRules } from "#app/records/entry/entry-rules.server.ts";
import { ropeHoursRules } from "#app/records/rope-hours/rope-rules.server.ts";
import { Mark } from "#app/ui/icons.tsx";

interface OfflineScreenProps {
  current: "/profile" | "/rope-hours";
  /** Of the forms' island, by which the script tells the kinds apart. */
  formId: "new-entries" | "rope";
  /** The address of the form's page, without a key. */
  action: string;
  title: string;
  save: string;
  rules: object;
  children: ReactNode;
}

/** What a field needs that no server fills in. */
const plain = (name: string) => ({
  ...{ id: name, name, errors: undefined, errorId: "", initialValue: undefined, required: false },
});

/** The empty form for OJT hours without a signal. It is the same for everyone, and its script fills in the rest. */
export function OfflineEntries() {
  return (
    <OfflineScreen
      current="/profile"
      formId="new-entries"
      action="/profile/entries/"
      title="Add New OJT Hours"
      save="Save Entries"
      rules={entryRules}
    >
      <DateField field={plain("date")} />
      <LocationField field={plain("location")} />
      <div className="pair">
        <MethodField field={plain("method")} />
        <HoursField field={plain("hours")} />
      </div>
    </OfflineScreen>
  );
}

/** The empty form for rope hours without a signal. */
export function OfflineRopeHours() {
  return (
    <OfflineScreen
      current="/rope-hours"
      formId="rope"
      action="/rope-hours/new/"
      title="Add rope hours"
      save="Log Rope Hours"
      rules={ropeHoursRules}
    >
      <div className="pair">
        <Field field={plain("startDate")} label="Start Date" type="date" />
        <Field field={plain("endDate")} label="End Date" type="date" />
      </div>
      <Field field={plain("location")} label="Location" />
      <Field field={plain("skills")} label="Skills" control={(attributes) => <textarea {...attributes} rows={3} />} />
      <Field
        field={plain("hours")}
        label="Hours"
        type="number"
        inputMode="decimal"
        min={0}
        step={0.1}
        placeholder="0.0"
      />
    </OfflineScreen>
  );
}

const TABS = [
  { href: "/profile", label: "OJT Hours" },
  { href: "/rope-hours", label: "Rope Hours" },
];

function OfflineScreen({ current, formId, action, title, save, rules, children }: OfflineScreenProps) {
  return (
    <>
      <header className="top">
        <p className="brand">
          <Mark />
          Hours Tracker
        </p>
        <nav aria-label="Sections">
          {TABS.map(({ href, label }) => (
            <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
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
        <div id="queue" />
        <section aria-labelledby="new" hidden>
          <h2 id="new">{title}</h2>
          <form id={formId} action={action} data-rules={JSON.stringify(rules)} className="form" noValidate>
            {children}
            <button type="submit">{save}</button>
          </form>
        </section>
      </main>
    </>
  );
}
