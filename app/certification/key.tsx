import { HatchPattern } from "#app/ui/hatch.tsx";

/** What the fillings of the pictures mean, and the hatching that they share. */
export function Key() {
  return (
    <ul className="key">
      <li>
        <svg className="swatch" width="16" height="16" aria-hidden="true">
          <rect className="verified" />
        </svg>
        Verified
      </li>
      <li>
        <svg className="swatch" width="16" height="16" aria-hidden="true">
          <HatchPattern />
          <rect className="requested" />
        </svg>
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
        <svg className="swatch" width="16" height="16" aria-hidden="true">
          <rect className="declined" />
        </svg>
        Declined
      </li>
    </ul>
  );
}
