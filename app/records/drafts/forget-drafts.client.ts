/**
 * On the page after logout, removes the drafts of that user only. The server sends the user's id (`Flash.signedOut`),
 * so nothing is removed unless the logout succeeded.
 */
export function forgetDrafts(): void {
  const { signedOut } = document.body.dataset;
  if (!signedOut) return;
  const theirs = new RegExp(`^draft:(rope-)?${signedOut}(:|$)`);
  for (const key of Object.keys(localStorage)) if (theirs.test(key)) localStorage.removeItem(key);
}
