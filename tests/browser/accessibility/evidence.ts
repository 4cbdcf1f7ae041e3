import type { APIRequestContext } from "@playwright/test";
import { expect } from "#tests/browser/technician.ts";
import { aCertificate, aTraining } from "#tests/worker/people.ts";
import type { States } from "./states.ts";

/** Logs training and certificates of every category and state that a page shows. */
export async function addEvidence(api: APIRequestContext): Promise<void> {
  const post = async (path: string, data: object) => expect((await api.post(path, { data })).status()).toBe(201);
  await post("/api/training", aTraining());
  await post("/api/training", aTraining({ course: "MT Level II", method: null, level: null, instructor: null }));
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await post("/api/certificates", aCertificate());
  await post("/api/certificates", aCertificate({ title: "MT Level II", method: "MT", expiresOn: day(41) }));
  await post(
    "/api/certificates",
    aCertificate({ title: "PCN UT Level 1", issuedOn: "2021-11-02", expiresOn: day(-22) }),
  );
  await post(
    "/api/certificates",
    aCertificate({ category: "examination", part: "general", score: 86, expiresOn: null }),
  );
  const none = { method: null, level: null, number: null };
  await post("/api/certificates", aCertificate({ ...none, category: "near_vision", title: "Near vision" }));
  await post("/api/certificates", {
    ...{ category: "other", title: "Medical, offshore", issuedOn: "2026-01-04", expiresOn: day(300) },
  });
}

/** The pages of training and certificates, and their forms with errors. */
export const EVIDENCE: States = {
  "training, empty": (page) => page.goto("/training"),
  "training, with courses": async (page, { api }) => {
    await addEvidence(api);
    await page.goto("/training");
  },
  "a new training with errors": async (page) => {
    await page.goto("/training/new");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Training course is required")).toBeVisible();
  },
  "certificates of every state": async (page, { api }) => {
    await addEvidence(api);
    await page.goto("/certificates");
  },
  "a new certificate with errors": async (page) => {
    await page.goto("/certificates/new");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Title is required")).toBeVisible();
  },
};
