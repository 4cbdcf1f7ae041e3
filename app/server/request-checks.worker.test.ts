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

/** Hosts that a client may claim, and that no link may be made for. */
const FOREIGN_HOSTS = [
  ...[
    "hours.example.com",
    "192.168.1.5:8787",
    "localhost.",
    "localhost.evil.example",
    "evil.example:80",
    "127.0.0.1.nip.io",
  ],
  ...["127.0.0.2", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "localhost@evil.example"],
];

test("without PUBLIC_ORIGIN only this machine's names are accepted as the host, and any other is 421", async () => {
  for (const host of FOREIGN_HOSTS) {
    const page = await ada.get(`http://${host}/profile`);
    const [title, text] = [textOf(page.text), page.headers.get("Content-Type")];
    expect([host, page.status, text]).toEqual([host, 421, expect.stringContaining("text/html")]);
    expect(title).toContain("Set PUBLIC_ORIGIN");
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const call = await ada.get(`http://${host}/api/user`);
    expect([host, call.status, call.json().message]).toEqual([host, 421, expect.stringContaining("Set PUBLIC_ORIGIN")]);
    expect(page.text + call.text).not.toContain(ada.user.email);
  }
  for (const host of ["localhost", "LocalHost:8787", "127.0.0.1:1", "[::1]", "[::1]:65535"]) {
    expect([host, (await ada.get(`http://${host}/api/user`)).status]).toEqual([host, 200]);
  }
});

test("421 comes before every other refusal, and nothing is stored", async () => {
  const url = "http://evil.example";
  const crossSite = { "Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain" };
  for (const [method, path] of [
    ["DELETE", "/api/entries"], // 405
    ["POST", "/api/entries"], // 403, 415, 401
    ["POST", "/api/nothing"],
    ["POST", "/auth"],
    ["PUT", "/nothing"],
  ] as const) {
    const answer = await app.send(method, `${url}${path}`, { headers: crossSite, body: "x".repeat(1024 * 1024 + 1) });
    expect([method, path, answer.status]).toEqual([method, path, 421]);
  }
  const registered = await app.json("POST", `${url}/api/auth/register`, {
    email: "rebound@example.com",
    password: "correct horse",
  });
  expect([registered.status, registered.headers.getSetCookie()]).toEqual([421, []]);
  expect(
    (await app.json("POST", "/api/auth/login", { email: "rebound@example.com", password: "correct horse" })).status,
  ).toBe(401);
});

test("with PUBLIC_ORIGIN set, no Host and no forwarded one is believed for a link, a code or a statement", async () => {
  const behind = await startApp({ env: { PUBLIC_ORIGIN: "https://hours.example" } });
  const kari = await behind.register();
  const { id } = await kari.addEntry();
  const supervisor = await kari.addSupervisor();
  const forged = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Port": "81",
    Forwarded: "host=evil.example;proto=http",
    "X-Original-Host": "evil.example",
  };
  const as = (method: string, path: string, body?: unknown) =>
    kari.json(method, `http://evil.example${path}`, body, forged);
  const made = await as("POST", `/api/verify-request/${id}`, { supervisorId: supervisor.id });
  const { verificationToken, verificationUrl } = made.json();
  expect(verificationUrl).toBe(`https://hours.example/verify/${verificationToken}`);
  expect((await as("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola" })).status).toBe(403);
  expect((await behind.json("POST", `/api/verify/${verificationToken}`, { supervisorName: "Ola" })).status).toBe(200);
  const exported = (await as("POST", "/api/exports", { form: "ojt" })).json<{ url: string; statement: string }>();
  expect(exported.url).toMatch(/^https:\/\/hours\.example\/c\//);
  const [, payload = ""] = exported.statement.split(".");
  expect(Buffer.from(payload, "base64url").toString()).toContain("https://hours.example/c/");
  for (const path of [
    "/profile",
    "/requests",
    "/api/openapi.json",
    "/account",
    "/api/exports",
    "/api/verification-requests",
  ]) {
    const answer = await as("GET", path);
    expect([path, answer.status, /evil/.test(answer.text + JSON.stringify([...answer.headers]))]).toEqual([
      path,
      200,
      false,
    ]);
  }
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
