import { expect, test } from "vitest";
import { entryKind } from "#app/records/entry/entry.kind.ts";
import type { LinkItem } from "#app/verification/link.server.ts";
import { decideAnswers } from "./answer-request.server.ts";

/* The decisions about the open records of a request, one row for each outcome. */

/** The entry with this id, as far as a decision looks at it. */
const item = (id: number, over: Partial<LinkItem> = {}) =>
  ({ kind: entryKind, record: { id }, state: "waiting", hasBegun: true, shown: `hash ${id}`, ...over }) as LinkItem;

const key = (id: number) => `entry:${id}`;
const declined = (...ids: number[]) => new Map(ids.map((id) => [key(id), "No"]));
const skipped = (...ids: number[]) => new Set(ids.map(key));
const shown = (hashes: { [id: number]: string }) =>
  new Map(Object.entries(hashes).map(([id, hash]) => [key(Number(id)), hash]));

const open = (...items: LinkItem[]) => ({
  state: "open" as const,
  keys: items.map(({ record }) => key(record.id)),
  items,
});
const early = { hasBegun: false };

test.each([
  ["all are verified without a word about them", open(item(1), item(2)), {}, { verified: [1, 2] }],
  ["one is declined", open(item(1), item(2)), { declined: declined(2) }, { verified: [1], declined: [2] }],
  ["all are declined", open(item(1), item(2)), { declined: declined(1, 2) }, { declined: [1, 2] }],
  ["one is left for later", open(item(1), item(2)), { skipped: skipped(1) }, { verified: [2], skipped: [1] }],
  ["all are left for later, which decides nothing", open(item(1)), { skipped: skipped(1) }, { skipped: [1] }],
  ["one that was decided meanwhile is left out", open(item(1, { state: "ended" }), item(2)), {}, { verified: [2] }],
  [
    "an answer about one that was decided meanwhile is left out",
    open(item(1, { state: "verified" }), item(2)),
    { declined: declined(1) },
    { verified: [2] },
  ],
  ["one that has not begun waits", open(item(1, early), item(2)), {}, { verified: [2], skipped: [1], early: [1] }],
  ["one that has not begun can be declined", open(item(1, early)), { declined: declined(1) }, { declined: [1] }],
  ["one that has not begun and is left for later", open(item(1, early)), { skipped: skipped(1) }, { skipped: [1] }],
  ["those that are as they were shown", open(item(1)), { shown: shown({ 1: "hash 1" }) }, { verified: [1] }],
  [
    "one that has changed, but is left for later",
    open(item(1), item(2)),
    { shown: shown({ 1: "hash 1" }), skipped: skipped(2) },
    { verified: [1], skipped: [2] },
  ],
])("%s", (_name, link, answers, expected) => {
  const decided = decideAnswers(link, answers);
  const ids = Object.entries(decided).map(([name, items]) => [name, items.map(({ record }) => record.id)]);
  expect(Object.fromEntries(ids)).toEqual({ verified: [], declined: [], skipped: [], early: [], ...expected });
});

test.each([
  ["a declined record of another request", open(item(1)), { declined: declined(9) }, "invalid"],
  ["a record of another request that is left for later", open(item(1)), { skipped: skipped(9) }, "invalid"],
  ["one that is declined and left for later", open(item(1)), { declined: declined(1), skipped: skipped(1) }, "invalid"],
  ["a request in which nothing waits", { ...open(item(1)), state: "decided" as const }, {}, "already_answered"],
  [
    "one that is not as it was shown",
    open(item(1), item(2)),
    { shown: shown({ 1: "old", 2: "hash 2" }) },
    "record_changed",
  ],
  ["one that was not shown", open(item(1), item(2)), { shown: shown({ 1: "hash 1" }) }, "record_changed"],
  ["only records that have not begun", open(item(1, early)), {}, "not_begun"],
  [
    "one that has not begun beside one that is left",
    open(item(1, early), item(2)),
    { skipped: skipped(2) },
    "not_begun",
  ],
])("%s is refused", (_name, link, answers, code) => {
  expect(() => decideAnswers(link, answers)).toThrow(expect.objectContaining({ code }));
});
