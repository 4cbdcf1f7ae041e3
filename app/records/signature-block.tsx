import { formatDate } from "#app/calendar-date.ts";

/** The statement that the technician signs, on screen and on the form (spec sections 2 and 9). */
export const STATEMENT = "The above is true and accurate to the best of my knowledge.";

/** The digital signature block of /profile. `today` is the user's current date, `YYYY-MM-DD`. */
export function SignatureBlock({ name, today }: { name: string; today: string }) {
  return (
    <section className="signature" aria-labelledby="signature">
      <h2 id="signature">Digital Signature</h2>
      <p className="apart">
        <b>{name}</b>
        <time className="hint" dateTime={today} data-today={today}>
          {formatDate(today)}
        </time>
      </p>
      <p>{STATEMENT}</p>
    </section>
  );
}
