import { type SubmissionResult, useForm } from "@conform-to/react";
import { METHODS } from "#app/db/enumerations.ts";
import { TEXT_MAX } from "#app/http/fields.ts";
import { asText, Field } from "#app/ui/field.tsx";
import { methodLabel } from "./methods.ts";

interface EntryFormProps {
  /** Names this sending; see `submissionOf`. */
  formKey: string;
  /** The person's today, `YYYY-MM-DD`, which every new row starts with. */
  today: string;
  /** What the server said of the last sending; it brings back all that was typed. */
  reply?: SubmissionResult<string[]> | undefined;
  /** Places that were logged before. */
  places?: string[];
}

type FormValue = {
  key: string;
  entries: { date: string; location: string; method: string; hours: string }[];
};

/**
 * Add New OJT Hours (spec section 2): any number of rows, saved together. It posts to an address of its own, so that
 * Back brings this page again with its key, and the same form sent twice is saved once.
 */
export function EntryForm({ formKey, today, reply, places = [] }: EntryFormProps) {
  const blank = { date: today, location: "", method: "", hours: "" };
  const [form, fields] = useForm<FormValue>({
    id: "new-entries",
    lastResult: reply,
    defaultValue: { key: formKey, entries: [blank] },
  });
  const rows = fields.entries.getFieldList();
  const firstWrong = reply?.error && Object.keys(reply.error).find((name) => name !== "entries");

  return (
    <form method="post" action="/profile/entries" id={form.id} noValidate>
      {/* Enter in a field presses the form's first button, which must be Save. */}
      <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
        Save Entries
      </button>
      <input type="hidden" name={fields.key.name} value={asText(fields.key.initialValue) || formKey} />
      <datalist id="places">
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <table className="rows">
        <thead>
          <tr>
            <th>Job Date</th>
            <th>Job Location</th>
            <th>NDT Method</th>
            <th>Hours</th>
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const { date, location, method, hours } = row.getFieldset();
            return (
              <tr key={row.key}>
                <td>
                  <Field field={date} label="Job Date" type="date" autoFocus={date.name === firstWrong} />
                </td>
                <td>
                  <Field
                    field={location}
                    label="Job Location"
                    placeholder="Enter location"
                    list="places"
                    maxLength={TEXT_MAX}
                    autoFocus={location.name === firstWrong}
                  />
                </td>
                <td>
                  <Field
                    field={method}
                    label="NDT Method"
                    control={(attributes) => (
                      <select
                        {...attributes}
                        defaultValue={asText(method.initialValue)}
                        autoFocus={method.name === firstWrong}
                      >
                        <option value="">Select method</option>
                        {METHODS.map((code) => (
                          <option key={code} value={code}>
                            {methodLabel(code)}
                          </option>
                        ))}
                      </select>
                    )}
                  />
                </td>
                <td>
                  <Field
                    field={hours}
                    label="Hours"
                    type="number"
                    inputMode="decimal"
                    min={0}
                    step={0.5}
                    placeholder="0.0"
                    autoFocus={hours.name === firstWrong}
                  />
                </td>
                <td>
                  <button
                    className="quiet"
                    disabled={rows.length === 1}
                    {...form.remove.getButtonProps({ name: fields.entries.name, index })}
                  >
                    Remove entry
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {fields.entries.errors && (
        <p className="alert" role="alert">
          {fields.entries.errors[0]}
        </p>
      )}
      <div className="save">
        <button className="second" {...form.insert.getButtonProps({ name: fields.entries.name, defaultValue: blank })}>
          Add Another Entry
        </button>
        <button type="submit">Save Entries</button>
      </div>
    </form>
  );
}
