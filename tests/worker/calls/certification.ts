import { expect } from "vitest";
import { anItem, aTarget } from "#tests/worker/targets.ts";
import { type CallRow, METHOD_MESSAGE, ODD_RECORDS, POST_FAULTS } from "./call.ts";

/** The first line of the admin's file, without a standard. */
const PROGRESS_FILE = /^\ufeff?Name,Email,Employee Number,Hours verified,Hours requested,Last entry\r\n/;

const ITEM = {
  title: "string",
  clause: "string",
  unit: "string",
  kind: "string",
  methods: ["string"],
  required: "number",
  ...{ category: "null", part: "null", level: "null", withinYears: "null", workedAs: "null", standard: "null" },
};
export const TARGET = {
  id: "number",
  title: "string",
  standard: "string",
  edition: "string",
  source: "string",
  since: "string",
  createdAt: "string",
  items: [ITEM],
};
const TOO_SMALL = "The figure must be greater than 0";
const DAY = "The day must be a day of the calendar, such as 2026-11-21";

type BadBody = NonNullable<CallRow["badBodies"]>[number];

const badItem = (over: Record<string, unknown>, field: string, message: string): BadBody => [
  aTarget({ items: [anItem(over)] }),
  `items.0.${field}`,
  message,
];

const MARK = { kind: "certificate", unit: "score", part: "general", required: 70 };
const VISION = { kind: "certificate", unit: "valid", category: "near_vision", methods: [], required: 1 };

const BAD_ITEMS: BadBody[] = [
  [aTarget({ items: undefined }), "items", "Add at least one item"],
  [aTarget({ items: [] }), "items", "Add at least one item"],
  [aTarget({ items: Array(51).fill(anItem()) }), "items", "A target has at most 50 items"],
  [
    aTarget({ items: [anItem(), null] }),
    "items.1",
    "An item is an object with title, unit, kind, methods and required",
  ],
  ...[0, -1, "abc", "", null, [], 0.004, "0", "1e2"].map((required) => badItem({ required }, "required", TOO_SMALL)),
  ...[1e9, 100_001, "9".repeat(400)].map((required) =>
    badItem({ required }, "required", "The figure must be at most 100,000"),
  ),
  badItem({ unit: "months", required: 6.5 }, "required", "Months are a whole number"),
  badItem({ unit: "years" }, "unit", "The unit must be hours, days, months, elapsedMonths, valid, score, average"),
  badItem({ kind: "logbook" }, "kind", "The kind must be entry, rope_hour, training, certificate"),
  badItem({ methods: ["ZT"] }, "methods.0", METHOD_MESSAGE),
  badItem({ methods: "MT" }, "methods", "The methods are a list"),
  badItem({ methods: ["MT", "PT", "MT"] }, "methods", "Each method can be named once"),
  badItem({ methods: Array(10_000).fill("MT") }, "methods", "Each method can be named once"),
  badItem({ methods: Array(10_000).fill("a") }, "methods", "Each method can be named once"),
  badItem({ methods: [] }, "methods", "Choose at least one NDT method"),
  badItem({ kind: "rope_hour" }, "methods", "Rope hours have no NDT method"),
  badItem({ kind: "rope_hour", methods: [], unit: "days" }, "unit", "The unit of this kind must be hours, months"),
  badItem({ kind: "training", unit: "score" }, "unit", "The unit of this kind must be hours, days"),
  badItem({ category: "near_vision" }, "category", "This figure has no category; that of rope hours can be work"),
  badItem({ level: "Level I" }, "level", "Only training, certificates and examinations have a level"),
  badItem({ level: "Level IV" }, "level", "Level must be one of Trainee, Level I, Level II, Level III"),
  ...[0, 21, 1.5, "x"].map((withinYears) =>
    badItem({ withinYears }, "withinYears", "The years are a whole number from 1 to 20"),
  ),
  badItem({ ...MARK, required: 101 }, "required", "A mark is at most 100"),
  badItem({ ...MARK, part: null }, "part", "Choose a part of the examination"),
  badItem({ ...MARK, unit: "average" }, "part", "An average is of all parts"),
  badItem({ ...MARK, withinYears: 1 }, "withinYears", "The years are of hours and of what must be valid"),
  badItem({ ...VISION, required: 2 }, "required", "The figure of what must be valid is 1"),
  badItem({ ...VISION, methods: ["MT"] }, "methods", "A vision test counts for all methods: choose none"),
  badItem({ ...VISION, category: "other" }, "category", "The category must be certificate, near_vision, colour_vision"),
  badItem({ workedAs: "Level IV" }, "workedAs", "Worked as must be one of Trainee, Level I, Level II, Level III"),
  badItem({ ...MARK, workedAs: "Level I" }, "workedAs", "Only OJT entries say as what level you worked"),
  badItem({ standard: "ISO 9712" }, "standard", "Only certificates and examinations have a standard here"),
  badItem({ ...VISION, standard: "Jaeger 1" }, "standard", "Only certificates and examinations have a standard here"),
  badItem({ ...MARK, standard: "x".repeat(201) }, "standard", "Standard must be at most 200 characters"),
  badItem({ title: " " }, "title", "Title is required"),
  badItem({ clause: "x".repeat(201) }, "clause", "Clause must be at most 200 characters"),
];

const BAD_FIELDS: BadBody[] = [
  [aTarget({ title: "\t" }), "title", "Title is required"],
  [aTarget({ title: "x".repeat(201) }), "title", "Title must be at most 200 characters"],
  [aTarget({ standard: 7 }), "standard", "Standard must be text"],
  [aTarget({ source: "x".repeat(2001) }), "source", "Source must be at most 2000 characters"],
  [aTarget({ since: "2026-02-30" }), "since", DAY],
  [aTarget({ since: "1 Feb 2026" }), "since", DAY],
  [aTarget({ since: "2999-01-01" }), "since", "The day must not be in the future"],
];

const targetPath: CallRow["path"] = ({ targetId }, faults = []) =>
  `/api/targets/${faults.includes("missing") ? 999_999 : targetId}`;
const ONE = {
  path: targetPath,
  othersPath: ({ othersTargetId }) => `/api/targets/${othersTargetId}`,
  oddPaths: ODD_RECORDS("/api/targets"),
} satisfies Partial<CallRow>;

const NO_PRESET = "There is no such preset. GET /api/target-presets lists them.";

/** The calls of a technician's targets and progress. */
export const CERTIFICATION: CallRow[] = [
  {
    method: "GET",
    path: () => "/api/targets",
    faults: ["method", "session"],
    shape: [TARGET],
  },
  {
    method: "POST",
    path: () => "/api/targets",
    body: () => aTarget(),
    badBodies: [
      ...BAD_FIELDS,
      ...BAD_ITEMS,
      ...["snt-tc-1a-level-4", "", null, 7, ["snt-tc-1a-level-1"], "__proto__"].map(
        (preset): BadBody => [{ preset }, "preset", NO_PRESET],
      ),
    ],
    faults: [...POST_FAULTS, "session", "body"],
    shape: TARGET,
  },
  { method: "GET", ...ONE, faults: ["method", "session", "missing"], shape: TARGET },
  {
    method: "PATCH",
    ...ONE,
    body: () => ({ title: "Level II" }),
    badBodies: [...BAD_FIELDS, ...BAD_ITEMS.slice(1)],
    faults: [...POST_FAULTS, "session", "missing", "body"],
    shape: TARGET,
  },
  {
    method: "DELETE",
    ...ONE,
    faults: ["method", "crossSite", "session", "missing"],
    shape: { message: "string" },
  },
  {
    method: "GET",
    path: () => "/api/target-presets",
    faults: ["method", "session"],
    shape: [
      {
        preset: "string",
        title: "string",
        standard: "string",
        edition: "string",
        notice: "string",
        notes: ["string"],
        items: [{ ...ITEM, level: "string", source: "string", confidence: "string" }],
      },
    ],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/events${faults.includes("body") ? "?after=first" : ""}`,
    faults: ["method", "session", "body"],
    shape: [{ id: "number", type: "string", at: "string", record: { type: "string", id: "number" } }],
  },
  {
    method: "GET",
    path: (_world, faults = []) => `/api/admin/events${faults.includes("body") ? "?type=record" : ""}`,
    faults: ["method", "session", "role", "body"],
    shape: [{ id: "number", type: "string", at: "string", record: { type: "string", id: "number" }, userId: "number" }],
  },
  {
    method: "GET",
    path: () => "/api/progress",
    faults: ["method", "session"],
    shape: [
      {
        target: { id: "number", title: "string" },
        parts: [{ part: "string", state: "string", endsOn: "null" }],
        items: [
          {
            title: "string",
            unit: "string",
            required: "number",
            verified: "number",
            waiting: "number",
            requested: "number",
            pending: "number",
            remaining: "number",
            estimate: "null",
            endsOn: "null",
            notCounted: [],
          },
        ],
      },
    ],
  },
  {
    method: "GET",
    path: () => "/api/admin/progress.csv",
    faults: ["method", "session", "role"],
    shape: expect.stringMatching(PROGRESS_FILE),
    isFile: true,
  },
];
