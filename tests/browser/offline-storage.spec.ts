import { goOffline, installWorker, saveEntry, storedRows } from "./offline-device.ts";
import { expect, NO_NETWORK, test } from "./technician.ts";

// These tests cut the network and block the storage.
test.beforeEach(({ consoleErrors }) => consoleErrors.expect(NO_NETWORK, /SecurityError: no/));

/* What the pages without a signal do where the browser's storage is blocked, full, empty or wiped. */

test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

for (const failure of ["blocked", "full"]) {
  test(`where the storage is ${failure}, the form says that it kept nothing, and keeps what is typed`, async ({
    technician: { page },
  }) => {
    await installWorker(page);
    await page.addInitScript((failure) => {
      const refuse = () => {
        throw new DOMException("no", failure === "full" ? "QuotaExceededError" : "SecurityError");
      };
      if (failure === "full") IDBObjectStore.prototype.put = refuse;
      else IDBFactory.prototype.open = refuse;
    }, failure);
    await page.context().setOffline(true);
    await page.goto("/profile");
    if (failure === "blocked") {
      await expect(page.getByRole("alert")).toContainText("could not keep these hours");
      return;
    }
    await saveEntry(page, "Hangar 2");
    await expect(page.getByRole("alert")).toContainText("could not keep these hours");
    await expect(page.getByLabel("Job Location")).toHaveValue("Hangar 2");
  });
}

for (const failure of ["blocked", "full"]) {
  test(`a form that did not reach the server, and that a ${failure} storage has not kept, is sent again from the page that says so`, async ({
    technician: { page, entries },
  }) => {
    await installWorker(page);
    const refuse = (failure: string) => {
      const refuse = () => {
        throw new DOMException("no", failure === "full" ? "QuotaExceededError" : "SecurityError");
      };
      IDBObjectStore.prototype.put = refuse;
      if (failure === "blocked") IDBFactory.prototype.open = refuse;
    };
    await page.addInitScript(refuse, failure);
    await page.evaluate(refuse, failure);
    await page.context().setOffline(true);
    await saveEntry(page, "Hangar 2");
    await expect(page.getByRole("heading", { name: "Do not close this page" })).toBeVisible();
    await expect(page.getByLabel("Job Location")).toBeHidden();
    // Still without a signal, the page comes back.
    await page.getByRole("link", { name: "send them again" }).click();
    await expect(page.getByRole("heading", { name: "Do not close this page" })).toBeVisible();
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "send them again" }).click();
    await expect(page.getByRole("status")).toContainText("Entries added");
    expect(await entries()).toMatchObject([{ location: "Hangar 2" }]);
  });
}

// Catches a page without a signal in the place of an answer that the browser's history does not have.
test("Back to a form that was brought back and saved says nothing of hours that did not reach the server", async ({
  technician: { page, entries },
}) => {
  await installWorker(page);
  await page.getByLabel("Job Location").fill("Hangar 2");
  await expect.poll(async () => JSON.stringify(await storedRows(page))).toContain("Hangar 2");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page).toHaveURL(/entries\//);
  await saveEntry(page, "Hangar 2");
  await expect(page.getByRole("status")).toContainText("Entries added");
  await page.goBack();
  await expect(
    page.getByRole("link", { name: "Open the log" }).or(page.getByLabel("NDT Method")).first(),
  ).toBeVisible();
  await expect(page.getByText("did not reach the server")).toBeHidden();
  expect(await entries()).toHaveLength(1);
});

// Catches a form that is marked as hidden and still shown: hours saved in it have no user, and were never sent.
test("where nobody has signed in, the page without a signal has no form", async ({ technician: { page } }) => {
  await installWorker(page);
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        const opening = indexedDB.open("hours", 1);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("rows", "readwrite");
          transaction.objectStore("rows").clear();
          transaction.oncomplete = () => done();
        };
      }),
  );
  await page.context().setOffline(true);
  await page.goto("/profile");
  await expect(page.getByText("No user is signed in on this device")).toBeVisible();
  await expect(page.getByLabel("Job Location")).toBeHidden();
});

// Catches a page that uses the connection to a database that is gone, and keeps nothing until it is opened again.
test("after the browser has wiped its storage, an open page keeps what is typed from then on", async ({
  technician: { page, entries },
  baseURL,
}) => {
  await installWorker(page);
  await page.getByLabel("Job Location").fill("Hangar 1");
  await expect.poll(() => storedRows(page)).toHaveLength(1);
  const devTools = await page.context().newCDPSession(page);
  const storageTypes = "indexeddb,cache_storage,service_workers";
  await devTools.send("Storage.clearDataForOrigin", { origin: baseURL ?? "", storageTypes });
  await page.getByLabel("Job Location").fill("Hangar 12");
  await expect
    .poll(() => storedRows(page))
    .toMatchObject([{ body: expect.arrayContaining([["entries[0].location", "Hangar 12"]]) }]);
  await saveEntry(page, "Hangar 12");
  await expect(page.getByRole("status")).toContainText("Entries added");
  expect(await entries()).toMatchObject([{ location: "Hangar 12" }]);
  await installWorker(page);
  await goOffline(page);
});
