import { expect, test, vi } from "vitest";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";

// Catches a document that is made, and kept, for each origin: without PUBLIC_ORIGIN a client chooses the port.
test("the calls are described once, whatever origin the document is asked for", async () => {
  vi.resetModules();
  const { openApiDocument: describe } = await import("./document.server.ts");
  const openApiDocument = (origin: string) => describe(ALL_ENDPOINTS, origin);
  const timeOf = (work: () => unknown) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const first = timeOf(() => openApiDocument("http://localhost:1"));
  const each = timeOf(() => {
    for (let port = 1_000; port < 1_050; port += 1) openApiDocument(`http://localhost:${port}`);
  });
  expect(each / 50).toBeLessThan(first / 5);
  const [one, other] = [openApiDocument("http://localhost:1"), openApiDocument("https://hours.example.com")];
  expect(JSON.parse(other)).toMatchObject({ servers: [{ url: "https://hours.example.com" }] });
  const alike = other.replace("__Host-session", "session").replace("https://hours.example.com", "http://localhost:1");
  expect(alike).toBe(one);
});
