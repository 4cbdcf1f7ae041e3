import { showToast } from "#app/client/toast.client.ts";
import { add, element } from "./element.client.ts";
import { formOf, offerOf } from "./offer-typed.client.ts";
import { moveOldDrafts } from "./old-drafts.client.ts";
import { removeRecord, takeOut } from "./queue.client.ts";
import { countOf, queueList } from "./queue-list.client.ts";
import { type Row, recordsOf } from "./row.ts";
import { isTyped, readStore, remove } from "./rows.client.ts";
import type { Sending } from "./send.client.ts";
import { keepSending } from "./try-sending.client.ts";
import { keyOf, recordForm, rowOf } from "./typed.client.ts";

/** Shows and sends what this browser has and the server does not, on a page from the server. */
export async function showAndSend(): Promise<void> {
  await moveOldDrafts();
  const form = recordForm();
  const saved = form?.dataset.saved;
  if (saved) await remove(saved.slice(saved.lastIndexOf("/") + 1));
  if (form) await offerTyped(form);
  let unsent = await showQueue(form, undefined);
  const attempt = keepSending(async (sending) => {
    unsent = await showQueue(form, sending, attempt);
    if (sending.sent > 0) await tellSent(form, sending.sent, unsent);
  });
}

/** Offers the rows that other copies of the form have typed, newest first. */
async function offerTyped(form: HTMLFormElement): Promise<void> {
  const { rows } = await readStore();
  const own = rowOf(form, "typed");
  const others = rows.filter(
    ({ key, userId, kind, state }) =>
      state === "typed" && userId === own.userId && kind === own.kind && key !== own.key,
  );
  // Outside the island, because React expects the HTML that the server rendered.
  const island = form.closest("[data-island]") ?? form;
  for (const row of others.reverse()) island.insertAdjacentElement("beforebegin", offerOf(row));
}

/** Shows the list above the page's form. Other pages have no list. Returns the number of records in it. */
async function showQueue(
  form: HTMLFormElement | null,
  sending: Sending | undefined,
  send: () => unknown = () => {},
): Promise<number> {
  const { visit, rows } = await readStore();
  const waiting = rows.filter(({ userId, state }) => userId === visit?.userId && state !== "typed");
  document.querySelector(".not-sent")?.remove();
  const section = form?.closest("section");
  if (!section || waiting.length === 0) return countOf(waiting);
  const again = () => showQueue(form, sending, send);
  const list = queueList(waiting, {
    send,
    edit: (row, index) => edit(row, index).then(again),
    remove: (row, index) => removeRecord(row.key, index).then(again),
  });
  if (sending?.result === "signIn") add(list, element("a", { href: "/auth" }, "Sign in to send them"));
  section.insertAdjacentElement("beforebegin", list);
  return countOf(waiting);
}

/** Opens the record in the page of its form. One that was refused is sent again, and comes back with its messages. */
async function edit(row: Row, index: number): Promise<void> {
  const taken = await takeOut(row.key, index);
  if (!taken) return;
  const box = formOf(taken, row.state !== "rejected");
  box.hidden = true;
  document.body.appendChild(box);
  box.submit();
}

/** The log does not show yet what was sent, so the page is opened again, unless something is typed in it. */
async function tellSent(form: HTMLFormElement | null, sent: number, unsent: number): Promise<void> {
  const isUsed = form && (isTyped({ body: recordsOf(rowOf(form, "typed").body) }) || (await isOpenElsewhere(form)));
  showToast({ kind: "success", title: sent === 1 ? "One row sent" : `${sent} rows sent` });
  if (form && !isUsed && unsent === 0) location.replace(form.id === "rope" ? "/rope-hours" : "/profile");
}

async function isOpenElsewhere(form: HTMLFormElement): Promise<boolean> {
  const { rows } = await readStore();
  return rows.some(({ key }) => key === keyOf(form));
}
