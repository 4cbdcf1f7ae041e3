/** Downloads of everything that is the user's own. */
export function ExportLinks() {
  return (
    <>
      <a href="/api/export.csv?kind=entries">OJT hours (CSV)</a>
      <a href="/api/export.csv?kind=rope_hours">Rope hours (CSV)</a>
      <a href="/api/export.json">Everything (JSON)</a>
    </>
  );
}
