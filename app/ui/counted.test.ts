import { expect, test } from "vitest";
import { counted, countedPlain } from "./counted.ts";

test("one is followed by the noun alone, every other number by its plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "record"))).toEqual(["0 records", "1 record", "2 records"]);
  expect([0, 1, 2].map((count) => countedPlain(count, "event"))).toEqual(["0 events", "1 event", "2 events"]);
});

test("thousands are separated for people, and not in a text that a program reads", () => {
  expect([counted(4102, "event"), countedPlain(4102, "event")]).toEqual(["4,102 events", "4102 events"]);
});
