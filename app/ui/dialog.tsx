import type { ReactNode } from "react";

interface DialogProps {
  title: string;
  /** The page without the dialog. */
  closeHref: string;
  children: ReactNode;
}

/**
 * A dialog that is part of the page it came with: it works, reloads and goes back as a page does. The page behind it
 * is `inert` (see `SignedInLayout`), so the keyboard stays in here without any script.
 */
export function Dialog({ title, closeHref, children }: DialogProps) {
  return (
    <div className="behind">
      <dialog open aria-modal="true" aria-labelledby="dialog-title">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <a href={closeHref} className="close" aria-label="Close">
            ×
          </a>
        </header>
        {children}
      </dialog>
    </div>
  );
}
