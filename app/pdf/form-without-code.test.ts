import { afterEach, expect, test, vi } from "vitest";
import { formWithoutCode } from "./form-without-code.client.ts";
import { savePdf } from "./save-pdf.client.ts";

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

// Catches a refused choice that is exported without a code, or of which another sentence is said than the server's.
test.each([
  [400, "invalid", "To must not be before From", { title: "Error", text: "To must not be before From" }],
  [
    404,
    "not_found",
    "That supervisor is not in your list.",
    { title: "Error", text: "That supervisor is not in your list." },
  ],
  [
    409,
    "export_too_large",
    "One form has at most 10,000 records",
    { title: "Error", text: "One form has at most 10,000 records" },
  ],
  [
    409,
    "nothing_verified",
    "",
    { title: "No verified entries", text: "No verified record of this form has these dates." },
  ],
])("an export that is refused with %i %s says why, and makes no file", async (status, code, message, said) => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (call: string) => {
    calls.push(call);
    return Response.json({ code, message }, { status });
  });
  const choice = { form: "ojt", from: "2026-03-01", to: "2026-02-01", supervisorId: "" } as const;
  expect(await savePdf(choice, "Kari", () => {})).toEqual({ kind: "error", ...said });
  expect(calls).toEqual(["/api/exports"]);
});
