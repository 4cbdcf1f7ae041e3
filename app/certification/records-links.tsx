import { Fragment } from "react";
import type { RecordsLink } from "./progress-links.ts";

/** A link to records in the log, as the text `all` if it is one; else one for each method. */
export function RecordsLinks({ all, links }: { all: string; links: RecordsLink[] }) {
  const [first, second] = links;
  if (!second) return <a href={first?.href}>{all}</a>;
  return (
    <>
      {`${all}: `}
      {links.map(({ text, href }, index) => (
        <Fragment key={text}>
          {index > 0 && ", "}
          <a href={href}>{text}</a>
        </Fragment>
      ))}
    </>
  );
}
