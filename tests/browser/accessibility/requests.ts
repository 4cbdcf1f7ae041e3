import type { Technician } from "#tests/browser/technician.ts";
import { expect } from "#tests/browser/technician.ts";
import type { States } from "./states.ts";

/** Makes a request of several records, of which a supervisor has verified one and declined one. Returns its id. */
async function answered({ addEntries, request, api }: Technician): Promise<number> {
  const entries = await addEntries({}, { method: "UT_THK" }, { location: "x".repeat(200) });
  await request(entries[0]?.id ?? 0);
  const [{ id: supervisorId }] = await (await api.get("/api/supervisors")).json();
  const records = entries.map(({ id }) => ({ type: "entry", id }));
  const made = await (await api.post("/api/verification-requests", { data: { supervisorId, records } })).json();
  const data = {
    supervisorName: "Piet",
    declined: [{ ...records[1], reason: "x".repeat(100) }],
    skipped: [records[2]],
  };
  // Without the technician's session: they cannot verify their own hours.
  const url = new URL(`/api/verify/${made.verificationToken}`, made.verificationUrl);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  });
  expect(answer.status).toBe(200);
  return made.id;
}

/** States of the pages of requests. */
export const REQUESTS: States = {
  "no requests": (page) => page.goto("/requests"),
  "the list of requests": async (page, technician) => {
    await answered(technician);
    await page.goto("/requests");
    await expect(page.getByText("1 declined")).toBeVisible();
  },
  "a request that was answered in part": async (page, technician) => {
    const id = await answered(technician);
    await page.goto(`/requests/${id}`);
    await expect(page.getByText("1 waiting")).toBeVisible();
  },
  "the dialog that asks before a request is withdrawn": async (page, technician) => {
    const id = await answered(technician);
    await page.goto(`/requests/${id}?withdraw=1`);
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "a new request, refused": async (page, technician) => {
    await answered(technician);
    await technician.addEntries({});
    await page.goto("/requests/new");
    await page.getByRole("button", { name: "Send Request" }).click();
    await expect(page.getByText("Choose at least one record")).toBeVisible();
  },
};
