import { namePath } from "./next-page.ts";

/** Downloads of everything that is the user's own, as items of a list. `lacksName`: the user is asked for a name first. */
export function ExportLinks({ lacksName = false }: { lacksName?: boolean }) {
  return (
    <>
      {DOWNLOADS.map(([href, label]) => (
        <li key={href}>
          <a className="second" href={lacksName && href.includes(".csv") ? namePath("/account") : href}>
            {label}
          </a>
        </li>
      ))}
    </>
  );
}

const DOWNLOADS = [
  ["/api/export.csv?kind=entries", "OJT hours (CSV)"],
  ["/api/export.csv?kind=rope_hours", "Rope hours (CSV)"],
  ["/api/export.json", "Everything (JSON)"],
] as const;
