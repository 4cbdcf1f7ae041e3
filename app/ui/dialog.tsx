import type { ReactNode } from "react";

interface DialogProps {
  title: string;
  /** The page without the dialog. */
  closeHref: string;
  children: ReactNode;
}

/**
 * A dialog that the server renders into the page, so it works without script, after a reload and with Back. The page
 * behind it is `inert` (see `SignedInLayout`), which keeps the keyboard focus inside.
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
