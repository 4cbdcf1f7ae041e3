/** Whether `localStorage` has drafts of version 0.1.0, which kept nothing else there. */
export function hasOldDrafts(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false; // the storage is blocked
  }
}
