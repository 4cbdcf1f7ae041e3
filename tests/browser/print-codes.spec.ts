import type { Locator } from "@playwright/test";
import { numbersFrom, type Picture, readCodes, withNoise, withoutSpecks } from "#tests/qr/bad-copy.ts";
import { expect, test } from "./technician.ts";

/** As many pixels as a copy at 150 dpi has: a CSS inch has 96. */
test.use({ deviceScaleFactor: 150 / 96, viewport: { width: 1123, height: 794 } });

/** What an element looks like, in grey. */
async function pictureOf(element: Locator): Promise<Picture> {
  const png = (await element.screenshot()).toString("base64");
  const { width, height, grey } = await element.page().evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen?.drawImage(image, 0, 0);
    const data = pen?.getImageData(0, 0, image.width, image.height).data ?? [];
    let grey = ""; // a list of a million numbers takes seconds on its way
    for (let at = 0; at < data.length; at += 4) grey += String.fromCharCode(data[at] ?? 255);
    return { width: image.width, height: image.height, grey: btoa(grey) };
  }, png);
  return { width, height, pixels: Uint8Array.from(Buffer.from(grey, "base64")) };
}

// Catches a code of the print page that is too small, that an export does not have, or that has no white around it.
for (const colorScheme of ["light", "dark"] as const) {
  test(`the QR codes of a printed export are its address and its statement, from a bad copy, ${colorScheme}`, async ({
    technician,
  }) => {
    const { page, api, addEntries, verifyAll } = technician;
    await verifyAll(await addEntries({}, { method: "MT" }));
    const made = await (await api.post("/api/exports", { data: { form: "ojt" } })).json();
    await page.emulateMedia({ media: "print", colorScheme });
    await page.goto(`/profile/print/${made.id}`);
    const picture = withNoise(await pictureOf(page.locator(".end")), numbersFrom(1));
    expect((await readCodes(withoutSpecks(picture))).sort()).toEqual([made.url, made.statement].sort());
  });
}
