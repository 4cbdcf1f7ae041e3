import type { AppLoadContext } from "@remix-run/cloudflare";
import { expect, test } from "vitest";
import { perRequest } from "./per-request.server.ts";

/** Only its identity matters here. */
const newContext = () => ({}) as AppLoadContext;

/** A cached function that counts how often each record is read. */
function counted() {
  const reads: string[] = [];
  const find = perRequest(async (_context: AppLoadContext, kind: object, id: number) => {
    reads.push(`${JSON.stringify(kind)} ${id}`);
    return { kind, id, read: reads.length };
  });
  return { reads, find };
}

test("in one request each record is read once, and a second one is not answered with the first", async () => {
  const { reads, find } = counted();
  const [entry, rope, context] = [{ name: "entry" }, { name: "rope" }, newContext()];
  const all = [await find(context, entry, 1), await find(context, entry, 2), await find(context, rope, 1)];
  expect(all.map(({ kind, id }) => [kind, id])).toEqual([
    [entry, 1],
    [entry, 2],
    [rope, 1],
  ]);
  expect(await find(context, entry, 2)).toBe(all[1]);
  expect(await find(newContext(), entry, 2)).not.toBe(all[1]);
  expect(reads).toHaveLength(4);
});

test("a record that is read again, or replaced, replaces its own cached result and no other", async () => {
  const { find } = counted();
  const [entry, context] = [{ name: "entry" }, newContext()];
  const one = await find(context, entry, 1);
  const two = await find(context, entry, 2);
  const again = await find.refresh(context, entry, 1);
  expect(again).not.toBe(one);
  expect([await find(context, entry, 1), await find(context, entry, 2)]).toEqual([again, two]);
  const changed = { kind: entry, id: 2, read: 0 };
  find.replace(changed, context, entry, 2);
  expect([await find(context, entry, 1), await find(context, entry, 2)]).toEqual([again, changed]);
});
