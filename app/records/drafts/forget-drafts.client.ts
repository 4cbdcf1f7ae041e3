/**
 * On the page after logout, removes the drafts of that user only. The server sends the user's id (`Flash.signedOut`),
 * so nothing is removed unless the logout succeeded. A form's `data-draft` is the user's id, or a word and the id:
 * `rope-7`.
 */
export function forgetDrafts(): void {
  const { signedOut } = document.body.dataset;
  if (!signedOut) return;
  const theirs = new RegExp(`^draft:([a-z-]+-)?${signedOut}(:|$)`);
  for (const key of Object.keys(localStorage)) if (theirs.test(key)) localStorage.removeItem(key);
}
