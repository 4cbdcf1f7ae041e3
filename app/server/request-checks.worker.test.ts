import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { textOf } from "#tests/worker/html.ts";

/*
 * The request checks, for pages. tests/worker/access.test.ts covers permissions and origins on every route. Catches a
 * check that relies on Remix's own origin check, which covers documents only and believes a forwarded host.
 */

const app = await startApp();
const ada = await app.register();
const NOT_FOUND = "404 Page Not Found Did you forget to add the page to the router?";

test("an unknown address is 404 with the spec's words, for any method, signed in or not", async () => {
  for (const path of [
    "/nothing",
    "/profile/nothing",
    "/verify",
    "/verify/a/b",
    "/.env",
    "/.git/config",
    "/apis",
    "/logout/now",
  ]) {
    for (const client of [app, ada]) {
      const page = await client.get(path);
      expect([path, page.status, textOf(page.text)]).toEqual([path, 404, expect.stringContaining(NOT_FOUND)]);
    }
    expect([path, (await ada.post(path, { a: "b" })).status]).toEqual([path, 404]);
    expect([path, (await ada.send("DELETE", path)).status]).toEqual([path, 404]);
  }
});

// Catches a check that recognises the two endpoints only in their plain spelling.
test("the endpoints of Remix's client router answer 404", async () => {
  const doors = [
    "/profile.data",
    "/_root.data",
    "/profile/entries.data",
    "/__manifest",
    "/__manifest?p=/profile",
    "/profile?_data=routes%2Fprofile",
    "/profile?_data",
    "/profile?%5Fdata=x",
    "/api/user.data",
    "/api/user?_data=routes%2Fapi.user",
    "/profile?_routes=x&_data=",
  ];
  for (const path of doors) {
    const answer = await ada.get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.text).not.toContain(ada.user.email);
    // Under /api a form is refused for its type, before its route is matched.
    expect([path, (await ada.post(path, { a: "b" })).status]).toEqual([path, path.startsWith("/api") ? 415 : 404]);
  }
});

test("a path with invalid percent encoding is 404", async () => {
  for (const path of ["/%", "/%E0%A4%A", "/verify/%ff", "/profile/request/%zz", "/%c0%af"]) {
    expect([path, (await app.get(path)).status]).toEqual([path, 404]);
    expect([path, (await app.post(path, { a: "b" })).status]).toEqual([path, 404]);
  }
});

test("HEAD has the headers of GET without the body, and does not log out", async () => {
  for (const path of ["/auth", "/profile", "/nothing", "/success", "/api/user", "/api/nothing", "/logout"]) {
    const browser = ada.as(ada.cookies);
    const [get, head] = [await browser.get(path), await ada.as(ada.cookies).send("HEAD", path)];
    expect([path, head.status, head.text]).toEqual([path, get.status, ""]);
    for (const name of ["Content-Type", "Cache-Control", "Location", "X-Frame-Options"]) {
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    }
  }
  expect((await ada.get("/api/user")).status).toBe(200);
});

test("a form from our own page passes, and so does a link from any site", async () => {
  const ours: Record<string, string>[] = [{ "Sec-Fetch-Site": "same-origin" }, { Origin: "http://localhost" }, {}];
  for (const headers of ours) {
    const answer = await app.post("/auth", { email: "a@example.com", password: "x" }, headers);
    expect([headers, answer.status]).toEqual([headers, 401]);
  }
  expect((await ada.get("/profile", { "Sec-Fetch-Site": "cross-site" })).status).toBe(200);
});

test("with PUBLIC_ORIGIN set, only a form from that origin passes, whatever the Host", async () => {
  const behind = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" }, origin: "http://10.0.0.7:8787" });
  const from = async (Origin: string) =>
    (await behind.post("/auth", { email: "a@example.com", password: "x" }, { Origin })).status;
  expect(await from("https://hours.example")).toBe(401);
  expect(await from("http://10.0.0.7:8787")).toBe(403);
});

test("a body over 1 MiB or of another content type than a form's is rejected", async () => {
  const large = await ada.post("/profile/entries", { key: "x".repeat(1024 * 1024) });
  expect([large.status, textOf(large.text)]).toEqual([413, expect.stringContaining("at most 1 MiB")]);
  for (const type of ["application/json", "text/plain", "image/png"]) {
    const answer = await ada.send("POST", "/profile/entries", { headers: { "Content-Type": type }, body: "{}" });
    expect([type, answer.status]).toEqual([type, 415]);
  }
});

test("logging out ends the session and redirects to the sign-in page, which confirms it; a GET does nothing", async () => {
  const bob = await app.register();
  const kept = new Map(bob.cookies);
  const link = await bob.get("/logout");
  expect([link.status, link.location, link.headers.get("Clear-Site-Data")]).toEqual([303, "/", null]);
  expect((await bob.get("/api/user")).status).toBe(200);
  const answer = await bob.post("/logout", {});
  expect([answer.status, answer.location]).toEqual([303, "/"]);
  expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
  expect(textOf((await bob.follow(answer)).text)).toContain("Logged out successfully");
  expect((await app.as(kept).get("/profile")).location).toBe("/auth");
  expect((await app.post("/logout", {})).location).toBe("/");
});

// tests/worker/spellings.test.ts requests every route in other spellings.
test("an unknown address under /api is answered in JSON that is never cached, in any spelling", async () => {
  for (const path of [
    "/api/nothing",
    "/API/nothing",
    "/%61pi/nothing",
    "/%41%50%49/nothing",
    "/%61pi/%zz",
    "/api/%ff",
  ]) {
    const answer = await ada.get(path);
    const { headers } = answer;
    expect([path, answer.status, headers.get("Content-Type"), headers.get("Cache-Control")]).toEqual([
      ...[path, 404, "application/json", "no-store"],
    ]);
  }
});
