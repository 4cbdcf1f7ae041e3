import type { Method } from "#app/db/enumerations.ts";
import { methodLabel } from "#app/records/entry/methods.ts";

/** What a technician has not done for long: rope access, or a method in which they hold a certificate. */
export type Thin = "rope" | Method;

/** As a part of a sentence, which begins with `no`. */
export function thinText(thin: Thin): string {
  return thin === "rope"
    ? "no rope hours in the last six months"
    : `no ${methodLabel(thin)} hours in the last year, and you hold a certificate in it`;
}

/** Where the hours of a technician run thin. Nothing if they do not. */
export function ThinHours({ thin }: { thin: Thin[] }) {
  if (thin.length === 0) return null;
  return (
    <section aria-labelledby="thin">
      <h2 id="thin">No recent hours</h2>
      <ul>
        {thin.map((one) => (
          <li key={one}>{`N${thinText(one).slice(1)}.`}</li>
        ))}
      </ul>
    </section>
  );
}
