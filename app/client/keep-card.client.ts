/**
 * Keeps the card of a shift in the tab until its reader has signed in, and leads them back to it: the address of the sign-in page
 * still has it as its fragment, and the links and forms of that page do not.
 */
export function keepCard(): void {
  const { search, hash } = location;
  if (hash && search.includes("next=/shift")) sessionStorage.shift = hash.slice(1);
  if (!sessionStorage.shift || search.includes("next=")) return;
  // After a logout the next person who signs in continues with the card.
  for (const link of document.querySelectorAll("[href^='/auth'],[action^='/auth']")) {
    const name = link.hasAttribute("href") ? "href" : "action";
    const address = link.getAttribute(name);
    link.setAttribute(name, `${address}${address?.includes("?") ? "&" : "?"}next=/shift`);
  }
}
