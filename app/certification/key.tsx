import { HatchPattern } from "#app/ui/hatch.tsx";

/** A small square with the filling of a picture, named by its class. One of a page brings the hatching that all share. */
export function Swatch({ of: name, hasHatch = false }: { of: string; hasHatch?: boolean }) {
  return (
    <svg className="swatch" width="16" height="16" aria-hidden="true">
      {hasHatch && <HatchPattern />}
      <rect className={name} />
    </svg>
  );
}

/** What the fillings of the pictures mean. */
export function Key() {
  return (
    <ul className="key">
      <li>
        <Swatch of="verified" />
        Verified
      </li>
      <li>
        <Swatch of="requested" hasHatch />
        Waiting for a supervisor
      </li>
    </ul>
  );
}

/** What else a year's days can show. */
export function DeclinedKey() {
  return (
    <ul className="key">
      <li>
        <Swatch of="declined" />
        Declined
      </li>
    </ul>
  );
}
