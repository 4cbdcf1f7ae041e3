/** The link of a request, to select and copy by hand. */
export function LinkField({ url }: { url: string }) {
  return (
    <div className="field">
      <label htmlFor="link">Verification link</label>
      <input id="link" type="url" readOnly value={url} />
    </div>
  );
}

/** Copies the link. A script shows this button: without one it cannot copy. */
export function CopyLinkButton() {
  return (
    <button type="button" className="second" data-copy="link" hidden>
      Copy link
    </button>
  );
}
