import { formatDate, formatInstant } from "#app/calendar-date.ts";
import { startPasswordButtons } from "#app/client/password.client.ts";
import { startInstalling } from "#app/install/install.client.ts";
import { PREFETCH_CLASS, TAB_RULE } from "#app/server/tab-rule.ts";

/** How long a copy button says Copied, in milliseconds (spec section 9). */
const COPIED_MS = 2_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Shows the copy buttons: `<button hidden data-copy="id">` copies the value of the field with that id. */
function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy ?? "") as Field | null; // see above
    const label = button.textContent;
    let timer: number | undefined;
    if (!field) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      if (!(await copy(field))) return;
      button.textContent = "Copied";
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        button.textContent = label;
      }, COPIED_MS);
    });
  }
}

/** Shows the buttons that hand a field's link to another app, `<button hidden data-share="id">`, where the browser can. */
function startShareButtons(): void {
  if (!("share" in navigator)) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-share]")) {
    const field = document.getElementById(button.dataset.share ?? "") as Field | null; // as above
    button.hidden = !field;
    // Rejected if the user chooses no app.
    button.addEventListener("click", () => navigator.share({ url: field?.value ?? "" }).catch(() => {}));
  }
}

/** Copies a field's value. Without the clipboard API (over plain http) it uses `execCommand`. */
async function copy(field: Field): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

/** How long a prefetched page may be used; after that it would be outdated. */
const MAX_AGE_MS = 10_000;

/**
 * Prefetches the header link that the mouse is over, by a speculation rule. A prefetched page is used by this document
 * only, so a page opened after a save is fetched again. The rule is removed after some seconds and when the page is left.
 * A browser that saves data or does not support speculation rules prefetches nothing.
 */
function startPrefetching(): void {
  let current: Element | null = null;
  let rule: HTMLScriptElement | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const drop = () => {
    clearTimeout(timer);
    current?.classList.remove(PREFETCH_CLASS);
    rule?.remove();
    current = null;
  };
  const over = (target: EventTarget | null) => {
    const link = target instanceof Element && target.closest(".top nav a:not([aria-current])");
    if (!link || link === current) return;
    drop();
    current = link;
    current.classList.add(PREFETCH_CLASS);
    rule = document.createElement("script");
    rule.type = "speculationrules";
    rule.textContent = TAB_RULE;
    document.head.appendChild(rule);
    timer = setTimeout(drop, MAX_AGE_MS);
  };
  addEventListener("pointerover", ({ target }) => over(target));
  // So that a page restored by Back starts without a rule.
  addEventListener("pagehide", drop);
  // The mouse may be over another link since this script was requested.
  over(document.querySelector(".top nav a:hover"));
}

/**
 * Replaces the day of the page (`data-today`) with the local date: the server can only estimate it, and a tab may be left
 * open over midnight. Hours that were typed before midnight belong to the day that stood beside them, so with
 * `isLater` only a form without any values follows.
 */
function correctToday(today: string, isLater: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-today]")) {
    const before = element.dataset.today ?? "";
    if (before === today || (isLater && element instanceof HTMLFormElement && hasValues(element))) continue;
    element.dataset.today = today;
    if (element instanceof HTMLTimeElement) {
      element.dateTime = today;
      element.textContent = formatDate(today);
    }
    for (const input of element.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
      if (input.value !== before) continue;
      input.value = input.defaultValue = today;
      if (input.dataset.preset) input.dataset.preset = today;
    }
  }
}

function hasValues(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>('input:not([type="date"]),select,textarea');
  return [...fields].some(({ value }) => value !== "");
}

/**
 * Shows on the page of a new request how many records are checked and their hours, and makes the link that selects all
 * change the boxes, so that the page need not load again.
 */
function startChoosing(): void {
  const sum = document.querySelector<HTMLElement>("[data-sum]");
  const link = document.querySelector<HTMLAnchorElement>("[data-all]");
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[data-hours]")];
  if (!sum || !link) return;
  // A declined record that was not corrected is chosen by itself alone.
  const offered = boxes.filter(({ dataset }) => dataset.declined === undefined);
  const isAll = () => offered.length > 0 && offered.every((box) => box.checked);
  const show = () => {
    const checked = boxes.filter((box) => box.checked);
    const hours = checked.reduce((total, { dataset }) => total + Number(dataset.hours), 0);
    // Not `formatHours`: its file comes with React.
    sum.textContent = `${checked.length} selected, ${(hours / 100).toFixed(2).replace(/0$/, "")} h`;
    link.textContent = isAll() ? "Select none" : "Select all on this page";
  };
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const isChecked = !isAll();
    for (const box of isChecked ? offered : boxes) box.checked = isChecked;
    show();
  });
  addEventListener("change", show);
  // After Back the browser restores the boxes.
  addEventListener("pageshow", show);
  show();
}

/**
 * Removes a message of the server once its field, or one of its group, is changed, also if that was before this script
 * came. An island has messages of its own.
 */
function startClearing(): void {
  const clear = (changed: EventTarget | null) => {
    if (!(changed instanceof Element) || changed.closest("[data-island]")) return;
    for (const field of [changed, changed.closest("fieldset[aria-describedby]")]) {
      const id = field?.getAttribute("aria-describedby") ?? "";
      const message = document.getElementById(id);
      if (!message?.matches(".wrong,.alert")) continue;
      message.remove();
      for (const described of document.querySelectorAll(`[aria-describedby="${CSS.escape(id)}"]`)) {
        described.removeAttribute("aria-describedby");
        described.removeAttribute("aria-invalid");
      }
    }
  };
  addEventListener("input", ({ target }) => clear(target));
  for (const field of document.querySelectorAll("input,select,textarea")) {
    if (isChanged(field)) clear(field);
  }
}

/** Whether a field is not as the server sent it. */
function isChanged(field: Element): boolean {
  if (field instanceof HTMLSelectElement) {
    const sent = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, sent);
  }
  if (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) return true;
  const { value, defaultValue } = field as Field; // the selector finds no other
  return value !== defaultValue;
}

/** A tooltip's delay, and how long after one has closed the next opens at once, in milliseconds (spec section 9). */
const OPEN_DELAY_MS = 700;
const SKIP_WINDOW_MS = 300;

/**
 * Shows the text of `data-tip` while the pointer is over its element, by the class `tip`.
 * @param since when the pointer came over the element that caused this script to load, on the page's clock
 */
function startTooltips(since: number): void {
  let timer: ReturnType<typeof setTimeout>;
  let closedAt = Number.NEGATIVE_INFINITY;
  for (const element of document.querySelectorAll("[data-tip]")) {
    const open = (delay: number) => {
      timer = setTimeout(() => element.classList.add("tip"), delay);
    };
    element.addEventListener("pointerenter", ({ timeStamp }) => {
      open(timeStamp - closedAt < SKIP_WINDOW_MS ? 0 : OPEN_DELAY_MS);
    });
    if (element.matches(":hover")) open(OPEN_DELAY_MS - (performance.now() - since));
    element.addEventListener("pointerleave", ({ timeStamp }) => {
      clearTimeout(timer);
      if (element.classList.contains("tip")) closedAt = timeStamp;
      element.classList.remove("tip");
    });
  }
}

export { correctToday };

/** Starts the behaviours that a page needs without any interaction. */
export function startBehaviours(): void {
  startCopyButtons();
  startShareButtons();
  startChoosing();
  startPasswordButtons();
  startClearing();
  showLocalTimes();
}

/**
 * Starts tooltips, prefetching, installing and, for admins, live search, at the first interaction with one of them.
 * `since` is the time of that interaction on the page's clock.
 */
export function startPointerBehaviours(since: number): void {
  startTooltips(since);
  startPrefetching();
  startInstalling();
  if (document.querySelector("[data-live]")) {
    import("#app/admin/search.client.ts").then(({ startLiveSearch }) => startLiveSearch());
  }
}

/** Shows the instants of the page in the browser's own time zone: the server can only estimate it, or has none. */
function showLocalTimes(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[datetime$=Z]")) {
    time.textContent = formatInstant(timeZone, new Date(time.dateTime));
  }
}
