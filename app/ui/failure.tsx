import { PublicLayout } from "./page.tsx";
import { usePageFacts } from "./page-context.tsx";

/** An error page: what went wrong and what to do. */
export function Failure({ title, text }: { title: string; text: string }) {
  const { reference } = usePageFacts();
  return (
    <PublicLayout>
      <h1>{title}</h1>
      <p>{text}</p>
      {reference && (
        <p>
          If it happens again, tell us this reference: <code>{reference}</code>
        </p>
      )}
      <p>
        <a href="/">Go to Hours Tracker</a>
      </p>
    </PublicLayout>
  );
}
