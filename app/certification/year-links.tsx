/** How many years are offered at once. */
const SHOWN = 8;

/** The years that have records, as links: the newest ones, or those around a year that is older. */
export function YearLinks({ year, years }: { year: number; years: number[] }) {
  const shown = [...new Set([...years, year])].sort((one, other) => one - other);
  const end = Math.max(SHOWN, shown.indexOf(year) + SHOWN / 2);
  const start = Math.max(0, Math.min(end, shown.length) - SHOWN);
  if (shown.length === 1) return null;
  return (
    <nav className="years" aria-label="Year">
      {shown.slice(start, start + SHOWN).map((one) => (
        <a key={one} href={`/progress?year=${one}#months`} aria-current={one === year ? "page" : undefined}>
          {one}
        </a>
      ))}
    </nav>
  );
}
