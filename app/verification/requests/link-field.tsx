/** The link of a request, to select and copy by hand. */
export function LinkField({ url }: { url: string }) {
  return (
    <div className="field">
      <label htmlFor="link">Verification link</label>
      <input id="link" type="url" readOnly value={url} />
    </div>
  );
}

/** Copies and shares the link. A script shows these buttons: without one they could do nothing. */
export function CopyLinkButtons() {
  return (
    <>
      <button type="button" className="second" data-copy="link" hidden>
        Copy link
      </button>
      <button type="button" className="second" data-share="link" hidden>
        Share
      </button>
    </>
  );
}
