import { afterEach, expect, test, vi } from "vitest";
import { formWithoutCode } from "./form-without-code.client.ts";

/* The form that a browser makes where the server makes no export. Detects one that ends after the first page of the list. */

afterEach(() => vi.unstubAllGlobals());

const entry = (id: number, date: string) => ({
  id,
  date,
  location: "Mongstad",
  method: "MT",
  hours: 7.5,
  broughtForward: false,
  verified: true,
  verifiedBy: "Ola Hansen",
  verifiedAt: "2026-11-21T00:00:00.000Z",
  verifiedVia: "link",
});

test("the form without a code has all verified records, page by page as Link leads, from the host of the page", async () => {
  const answers: Record<string, Response> = {
    "/api/user": Response.json({ id: 1, name: "Kari", email: "kari@example.com", employeeNumber: null }),
    "/api/entries": Response.json([entry(2, "2026-11-02")], {
      headers: { Link: '<https://hours.example/api/entries?limit=1&before=2026-11-02.2>; rel="next"' },
    }),
    "/api/entries?limit=1&before=2026-11-02.2": Response.json([entry(1, "2026-11-01")]),
  };
  vi.stubGlobal("location", new URL("http://192.168.1.5:8787/profile"));
  vi.stubGlobal("fetch", async (call: string) => answers[call] ?? new Response(null, { status: 404 }));
  const form = await formWithoutCode({ form: "ojt" });
  expect([form.proof ?? null, form.rows.map(({ id }) => id)]).toEqual([null, [1, 2]]);
  answers["/api/entries"] = new Response(null, { status: 500 });
  await expect(formWithoutCode({ form: "ojt" })).rejects.toThrow("/api/entries answered 500");
});
