import { expect, test } from "vitest";
import { startApp } from "../../tests/worker/app.ts";
import { formIn, textsOf } from "../../tests/worker/html.ts";
import { startMailApp } from "../../tests/worker/mail.ts";

/* What the dialog says of the message, as a browser without JavaScript sees it. Its failures: mail-faults.test.ts. */

const app = await startMailApp();
const CONFIRMED =
  "Verification Email Sent × An email has been sent to the supervisor for verification. You'll be notified once the hours are verified.";

function dialogIn(html: string): string {
  return html.slice(html.indexOf("<dialog"));
}

test("after a request: the toast, to whom it went, the link; then Done confirms in the spec's words", async () => {
  const ada = await app.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor({ name: "Ola Hansen", email: "ola@example.org" });
  const open = await ada.get(`/profile?request=${id}`);
  const asked = await ada.submit(open, `/profile/request/${id}`, { supervisor: String(supervisor.id) }, "Send Request");
  await app.settled(ada);
  const page = await ada.follow(asked);
  expect(textsOf(page.text, "div", 'role="status"')).toEqual(["Verification request sent"]);
  expect(textsOf(page.text, "dialog")[0]).toContain("The email to Ola Hansen (ola@example.org) has been sent.");
  const done = await ada.get(`/profile?${formIn(dialogIn(page.text), "/profile").values({}, "Done")}`);
  expect([done.trips, textsOf(done.text, "dialog")[0]]).toEqual([1, `${CONFIRMED} Close`]);
});

test("a request verified meanwhile has no dialog left, and no error", async () => {
  const ada = await app.register();
  const { entry } = await ada.addVerifiedEntry();
  for (const query of [`request=${entry.id}&link`, `mailed=${entry.id}`]) {
    const answer = await ada.get(`/profile?${query}`);
    expect([answer.status, answer.location, answer.setCookie("flash")]).toEqual([303, "/profile", undefined]);
  }
});

test("nobody sees the mail of somebody else's entry", async () => {
  const [ada, bob] = [await app.register(), await app.register()];
  const { id } = await ada.addEntry();
  await ada.requestVerification(id);
  expect((await bob.get(`/profile?mailed=${id}`)).location).toBe("/profile");
});

test("without a mail service nothing is promised: no toast, the reason, the link, and Done just closes", async () => {
  const silent = await startApp();
  const ada = await silent.register();
  const { id } = await ada.addEntry();
  const supervisor = await ada.addSupervisor();
  const asked = await ada.post(`/profile/request/${id}`, { supervisor: String(supervisor.id) });
  const page = await ada.follow(asked);
  expect(textsOf(page.text, "div", 'role="status"')).toEqual([]);
  const [dialog] = textsOf(page.text, "dialog");
  expect(dialog).toContain("No email was sent: this installation has no mail service. Send them this link yourself.");
  expect(page.text).toMatch(/value="http:\/\/localhost\/verify\/[0-9a-f-]{36}"/);
  expect(formIn(dialogIn(page.text), "/profile").values({}, "Done").toString()).toBe("");
});

test("without PUBLIC_ORIGIN no link is made from a request's Host: nothing is mailed", async () => {
  const unset = await startMailApp({ PUBLIC_ORIGIN: "" });
  const ada = await unset.register();
  const { id } = await ada.addEntry();
  await ada.requestVerification(id);
  expect(await unset.messages(ada)).toMatchObject([{ state: "failed", reason: "not_set_up" }]);
  await unset.sweep();
  expect(unset.mailChannels.received).toEqual([]);
});
