import type { ShownEvent } from "#app/audit-log/shown-event.ts";
import { Fact } from "#app/records/record-facts.tsx";

/** What the supervisor stated when verifying, beside what the technician had typed about them where it differs. */
export function StatedFacts({ log }: { log: ShownEvent[] }) {
  const verified = log.findLast(({ event }) => event === "verified");
  if (!verified || log.at(-1)?.event === "disowned") return null;
  const asked = log.findLast(({ event, supervisor }) => event === "requested" && supervisor)?.supervisor;
  const { name, certification } = verified;
  const rows = [
    ["Name", name, asked?.name],
    ["Scheme", certification?.scheme, undefined],
    ["Level", certification?.level, asked?.certificationLevel],
    ["Certificate number", certification?.number, undefined],
  ] as const;
  if (!certification && (!asked || asked.name === name)) return null;
  return (
    <section aria-labelledby="stated">
      <h2 id="stated">What the supervisor stated</h2>
      <dl className="facts">
        {rows.map(
          ([term, stated, typed]) =>
            stated && (
              <Fact key={term} term={term}>
                <bdi>{stated}</bdi>
                {typed && typed !== stated && (
                  <span className="hint">
                    {" (the technician typed "}
                    <bdi>{typed}</bdi>)
                  </span>
                )}
              </Fact>
            ),
        )}
        {certification && asked?.company && (
          <Fact term="Company">
            <span className="hint">
              not stated (the technician typed <bdi>{asked.company}</bdi>)
            </span>
          </Fact>
        )}
      </dl>
    </section>
  );
}
