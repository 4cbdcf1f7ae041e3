import { certificateKind } from "#app/records/certificates/certificate.kind.ts";
import { trainingKind } from "#app/records/training/training.kind.ts";

const PARTS = [
  ["/progress", "Targets"],
  [trainingKind.path, trainingKind.texts.log],
  [certificateKind.path, certificateKind.texts.log],
] as const;

/** The pages of what a certification asks for. */
export function EvidenceTabs({ current }: { current: string }) {
  return (
    <nav className="parts" aria-label="Parts of progress">
      {PARTS.map(([href, label]) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
