import { afterEach, expect, test, vi } from "vitest";
import { forgetRows } from "./forget-rows.client.ts";

/* What a logout deletes of what users typed here. tests/browser/offline.spec.ts has the store of rows, which Node.js does not. */

afterEach(() => vi.unstubAllGlobals());

/** Runs `forgetRows` in a browser with these cookies. Returns the drafts that are left, and the cookies that were ended. */
async function forget(origin: string, cookies: string) {
  const drafts = new Set(["draft:5", "draft:rope-5", "draft:7", "draft:57", "theme"]);
  const ended: string[] = [];
  vi.stubGlobal("location", new URL(origin));
  vi.stubGlobal("document", {
    get cookie() {
      return cookies;
    },
    set cookie(text: string) {
      ended.push(text);
    },
  });
  const storage = Object.fromEntries([...drafts].map((name) => [name, ""]));
  Object.defineProperty(storage, "removeItem", { value: (name: string) => drafts.delete(name) });
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", { clear: () => {} });
  await forgetRows();
  return { left: [...drafts], ended };
}

const all = ["draft:5", "draft:rope-5", "draft:7", "draft:57", "theme"];

test("over https what users typed is deleted if the cookie of their logout has the prefix of this host", async () => {
  const cookies = "a=b; __Host-signed-out-5=MQ%3D%3D; __Host-signed-out-7=MQ%3D%3D";
  expect(await forget("https://hours.example", cookies)).toEqual({
    left: ["draft:57", "theme"],
    ended: ["__Host-signed-out-5=;Max-Age=0;Path=/;Secure", "__Host-signed-out-7=;Max-Age=0;Path=/;Secure"],
  });
});

// Seen: a page of another host of the same domain could delete what a phone had not sent.
test("over https a cookie that another host of the domain can set deletes nothing", async () => {
  const others = ["signed-out-5=1", "x-signed-out-5=1", "x__Host-signed-out-5=1", "a=__Host-signed-out-5=1", ""];
  for (const cookies of others) {
    expect([cookies, await forget("https://hours.example", cookies)]).toEqual([cookies, { left: all, ended: [] }]);
  }
});

test("over http, where no cookie can have the prefix, the mark has none", async () => {
  expect(await forget("http://localhost:8787", "signed-out-5=MQ%3D%3D")).toEqual({
    left: ["draft:7", "draft:57", "theme"],
    ended: ["signed-out-5=;Max-Age=0;Path=/"],
  });
});
