import { fillCard } from "#app/offline/fill-card.client.ts";

/*
 * The part of the inline script that opens a shift card: it fills the form in from the fragment of the address, which no server
 * gets. The tab keeps the card until the form is sent, so that it is there again after signing in, also as another user
 * (app/client/keep-card.client.ts).
 */

const note = document.querySelector<HTMLElement>("[data-own]");
const form = document.querySelector<HTMLFormElement>("[data-draft]");
if (note && form && !location.search) {
  let text = location.hash.slice(1);
  try {
    text ||= sessionStorage.shift ?? "";
    sessionStorage.shift = text;
    form.addEventListener("submit", () => sessionStorage.removeItem("shift"));
  } catch {} // the storage is blocked
  const { own = "", latest = "", intros = "" } = note.dataset;
  fillCard(form, text, own, latest).forEach((words, index) => {
    if (words.size > 0) note.append(` ${intros.split("|")[index]} ${[...words].join(", ")}.`);
  });
  form.querySelector("[name=card]")?.setAttribute("value", text);
  form.querySelector<HTMLInputElement>("[name$=hours]")?.focus();
  // The day of the card does not follow the clock.
  delete form.dataset.today;
  const said = text ? note : (note.nextElementSibling as HTMLElement | null); // what a link without its end says
  if (said) said.hidden = false;
}
// The link of another card, opened on this page. What was typed is in the browser's store, and the page offers it.
addEventListener("hashchange", () => location.reload());
