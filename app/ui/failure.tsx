import { Plain } from "./page.tsx";

/** Says what went wrong and what to do. The whole page, or its main part. */
export function Failure({ title, text }: { title: string; text: string }) {
  return (
    <Plain>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href="/">Go to Hours Tracker</a>
      </p>
    </Plain>
  );
}
