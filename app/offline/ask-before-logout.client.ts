import { element } from "./element.client.ts";
import { countOf } from "./queue-list.client.ts";
import type { Row } from "./row.ts";
import { downloadRows } from "./rows-file.client.ts";

/** A logout deletes what the user has saved on this device and not sent, so it asks first, and offers a file. */
export function askBeforeLogout(notSent: () => Row[]): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement; // the target of a submit event is a form
    const rows = notSent();
    if (!form.action.endsWith("/logout") || rows.length === 0) return;
    event.preventDefault();
    document.querySelector(".log-out")?.remove();
    const count = countOf(rows);
    const what = count === 1 ? "1 record is" : `${count} records are`;
    const question = element(
      "div",
      { className: "warnings log-out", role: "alertdialog", ariaLabel: "Log out", tabIndex: -1 },
      element("p", {}, `${what} not sent yet, and only on this device. Logging out deletes them.`),
      element(
        "p",
        { className: "row" },
        element("button", { type: "button", onclick: () => downloadRows(rows) }, "Save as a file"),
        element(
          "button",
          { type: "button", className: "second", onclick: () => form.submit() },
          "Delete them and log out",
        ),
        element("button", { type: "button", className: "second", onclick: () => question.remove() }, "Stay signed in"),
      ),
    );
    document.querySelector("details[open]")?.removeAttribute("open"); // on a phone Logout is in a menu, which is above all
    document.querySelector("main")?.insertAdjacentElement("afterbegin", question);
    question.focus();
  });
}
