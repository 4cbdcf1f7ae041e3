import type { ReactNode } from "react";

interface DialogProps {
  title: string;
  /** The page without the dialog. */
  closeHref: string;
  /** Whether a field in it takes the focus, which else the dialog does. */
  hasFocus?: boolean;
  children: ReactNode;
}

/**
 * A dialog that the server renders into the page, so it works without script, after a reload and with Back. The page
 * behind it is `inert` (see `SignedInLayout`), which keeps the keyboard focus inside. It takes the focus, and the page
 * that it closes to gives it back: the element that opened the dialog has `autofocus` there. `data-at` marks that row
 * or link on both pages, so that it stays where it was (app/entry/signed-in.inline.ts). It grows from its bottom or its
 * middle, so the style sheet shows it once all of it has arrived: then the element after it exists.
 */
export function Dialog({ title, closeHref, hasFocus = false, children }: DialogProps) {
  return (
    <div className="behind">
      <dialog open aria-modal="true" aria-labelledby="dialog-title" tabIndex={-1} autoFocus={!hasFocus}>
        <header>
          <h2 id="dialog-title">{title}</h2>
          <a href={closeHref} className="close" aria-label="Close">
            ×
          </a>
        </header>
        {children}
      </dialog>
      <i hidden />
    </div>
  );
}

interface ConfirmDialogProps extends Pick<DialogProps, "title" | "closeHref" | "children"> {
  /** Where the button posts to. */
  action: string;
  /** The button's text while the answer is awaited. */
  busy: string;
  /** Whether nothing is lost by it: the button is not red. */
  isHarmless?: boolean;
}

/** A dialog that asks before its button does what the title says. */
export function ConfirmDialog({ title, closeHref, action, busy, isHarmless = false, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} closeHref={closeHref}>
      {children}
      <form method="post" action={action} className="row">
        <a href={closeHref}>Cancel</a>
        <button type="submit" className={isHarmless ? undefined : "danger"} data-busy={busy}>
          {title}
        </button>
      </form>
    </Dialog>
  );
}
