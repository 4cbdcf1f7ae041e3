import { formatHours } from "#app/records/hours.ts";

interface NumbersTableProps {
  /** What it has, for screen readers. */
  title: string;
  columns: string[];
  /** The name of each row, and its hours by column in hundredths: 0 leaves a cell empty. */
  rows: { name: string; hours: number[] }[];
}

/** The numbers of a picture, to read aloud and to copy. It scrolls by itself where it is wider than the page. */
export function NumbersTable({ title, columns: [first, ...others], rows }: NumbersTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can scroll it only if it takes the focus
    <section className="scroll" tabIndex={0} aria-label={title}>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, hours }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hours.map((hundredths, index) => (
                <td key={others[index]}>{hundredths > 0 ? formatHours(hundredths) : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
