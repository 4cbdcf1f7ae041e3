/** How long the typing must rest, and how much must be typed, before the list is asked for. */
const REST_MS = 300;
const LEAST = 2;

/**
 * Searches while somebody types: `<form data-live="found results">` shows what its address shows, by bringing the
 * elements with these ids. The field is left alone, so focus and caret stay, and the address is replaced, so Back
 * leads to where the search began. Whatever fails, Enter still sends the form.
 */
export function startLiveSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-live]");
  const field = form?.querySelector<HTMLInputElement>('input[type="search"]');
  if (!form || !field) return;
  let timer: number | undefined;
  let asked = new AbortController();
  const cancel = () => {
    clearTimeout(timer);
    asked.abort();
  };
  const search = () => {
    cancel();
    const { length } = field.value.trim();
    if (length > 0 && length < LEAST) return;
    asked = new AbortController();
    const { signal } = asked;
    timer = window.setTimeout(() => show(form, signal).catch(() => {}), REST_MS);
  };
  field.addEventListener("input", search);
  // The first letters may have come before this script.
  if (field.value !== field.defaultValue) search();
  form.addEventListener("submit", cancel);
}

async function show(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value) url.searchParams.set(name, String(value));
  const answer = await fetch(url, { signal });
  // The session ended: the page that says so is a page of its own.
  if (answer.redirected) return location.assign(answer.url);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (signal.aborted) return;
  history.replaceState(history.state, "", url);
  for (const id of form.dataset.live?.split(" ") ?? []) {
    document.getElementById(id)?.replaceChildren(...(page.getElementById(id)?.childNodes ?? []));
  }
}
