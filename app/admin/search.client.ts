/** The search starts after a pause in typing of this length, in milliseconds, and with this many characters. */
const REST_MS = 300;
const LEAST = 2;

/**
 * Searches while the user types: for `<form data-live="found results">` it loads the form's URL and replaces the
 * elements with these ids. It leaves the field alone, so that it keeps its focus, and replaces the URL, so that Back
 * leaves the search. If anything fails, Enter still sends the form.
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
  // The user may have typed before this script ran.
  if (field.value !== field.defaultValue) search();
  form.addEventListener("submit", cancel);
}

async function show(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value) url.searchParams.set(name, String(value));
  const answer = await fetch(url, { signal });
  // The session has ended: show the page of the redirect.
  if (answer.redirected) return location.assign(answer.url);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (signal.aborted) return;
  history.replaceState(history.state, "", url);
  for (const id of form.dataset.live?.split(" ") ?? []) {
    document.getElementById(id)?.replaceChildren(...(page.getElementById(id)?.childNodes ?? []));
  }
}
