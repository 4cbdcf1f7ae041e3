import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetRows } from "./forget-rows.client.ts";

/* What a logout deletes of what users typed here. tests/browser/offline.spec.ts has the store of rows, which Node.js does not. */

const left = new Set<string>();

/** IndexedDB as far as `forgetRows` uses it: one transaction reads all rows, and deletes some. */
function fakeStore() {
  const all: { result: object[]; onsuccess?: () => void } = { result: [] };
  const rows = {
    getAll: () => Object.assign(all, { result: [...left].map((key) => ({ key, userId: key.split(" ")[0] })) }),
    delete: (key: string) => left.delete(key),
  };
  const transaction = {
    objectStore: () => rows,
    set oncomplete(done: () => void) {
      queueMicrotask(() => {
        all.onsuccess?.();
        done();
      });
    },
  };
  const opened: { result: object; onsuccess?: () => void } = { result: { transaction: () => transaction } };
  queueMicrotask(() => opened.onsuccess?.());
  return opened;
}

const ALL = ["5 entry", "5 rope", "7 entry", "57 entry"];

beforeEach(() => {
  left.clear();
  for (const key of ALL) left.add(key);
});

afterEach(() => vi.unstubAllGlobals());

/** Runs `forgetRows` in a browser with these cookies. Returns the rows that are left, and the cookies that were ended. */
async function forget(origin: string, cookies: string) {
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
  vi.stubGlobal("indexedDB", { open: fakeStore });
  vi.stubGlobal("sessionStorage", { clear: () => {} });
  await forgetRows();
  return { left: [...left], ended };
}

test("over https what users typed is deleted if the cookie of their logout has the prefix of this host", async () => {
  const cookies = "a=b; __Host-signed-out-5=MQ%3D%3D; __Host-signed-out-7=MQ%3D%3D";
  expect(await forget("https://hours.example", cookies)).toEqual({
    left: ["57 entry"],
    ended: ["__Host-signed-out-5=;Max-Age=0;Path=/;Secure", "__Host-signed-out-7=;Max-Age=0;Path=/;Secure"],
  });
});

// Seen: a page of another host of the same domain could delete what a phone had not sent.
test("over https a cookie that another host of the domain can set deletes nothing", async () => {
  const others = ["signed-out-5=1", "x-signed-out-5=1", "x__Host-signed-out-5=1", "a=__Host-signed-out-5=1", ""];
  for (const cookies of others) {
    expect([cookies, await forget("https://hours.example", cookies)]).toEqual([cookies, { left: ALL, ended: [] }]);
  }
});

test("over http, where no cookie can have the prefix, the mark has none", async () => {
  expect(await forget("http://localhost:8787", "signed-out-5=MQ%3D%3D")).toEqual({
    left: ["7 entry", "57 entry"],
    ended: ["signed-out-5=;Max-Age=0;Path=/"],
  });
});
