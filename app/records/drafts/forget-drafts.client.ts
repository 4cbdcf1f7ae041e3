/**
 * On the page after a logout: removes all that this browser kept of what that user typed, and nobody else's. The server
 * names the user (`Flash.signedOut`), so nothing goes before the logout has worked.
 */
export function forgetDrafts(): void {
  const { signedOut } = document.body.dataset;
  if (!signedOut) return;
  const theirs = new RegExp(`^draft:(rope-)?${signedOut}(:|$)`);
  for (const key of Object.keys(localStorage)) if (theirs.test(key)) localStorage.removeItem(key);
}
