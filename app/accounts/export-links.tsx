/** Downloads of everything that is the user's own, as items of a list. */
export function ExportLinks() {
  return (
    <>
      {DOWNLOADS.map(([href, label]) => (
        <li key={href}>
          <a className="second" href={href}>
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
