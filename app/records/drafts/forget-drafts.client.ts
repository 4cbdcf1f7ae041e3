/**
 * On the page after a logout: removes all that this browser kept of what that user typed, and nobody else's. The server
 * names the user (`Flash.signedOut`), so nothing goes before the logout has worked. A form's `data-draft` is the user's id,
 * or a word and the id: `rope-7`.
 */
export function forgetDrafts(): void {
  const { signedOut } = document.body.dataset;
  if (!signedOut) return;
  const theirs = new RegExp(`^draft:([a-z-]+-)?${signedOut}(:|$)`);
  for (const key of Object.keys(localStorage)) if (theirs.test(key)) localStorage.removeItem(key);
}
