import { anItem, aTarget } from "#tests/worker/targets.ts";
import { ADMIN_PAGE, away, cells, EVERYBODY, OWN_PAGE, PAGE, type Rows, to } from "./cells.ts";

const form = () => ({
  title: "Level II",
  "items[0].title": "MT",
  "items[0].measure": "hours entry",
  "items[0].required": "70",
  "items[0].MT": "on",
});

/** The pages and calls of a technician's targets and progress. */
export const CERTIFICATION: Rows = {
  progress: { address: "/progress?year=2026&days=table", GET: { cells: PAGE } },
  "progress/print": { address: "/progress/print", GET: { cells: PAGE } },
  "progress/targets/new/:key?": {
    address: "/progress/targets/new/key-1",
    GET: { cells: PAGE },
    POST: { cells: cells(away("/auth"), to("/progress"), to("/progress"), to("/progress")), form },
  },
  "progress/targets/:id": {
    address: ({ targetId }) => `/progress/targets/${targetId}`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/progress"), 404, 404), form },
  },
  "progress/targets/:id/delete": {
    address: ({ targetId }) => `/progress/targets/${targetId}/delete`,
    GET: { cells: OWN_PAGE },
    POST: { cells: cells(away("/auth"), to("/progress"), 404, 404), form: () => ({}) },
  },
  "api/targets": {
    address: "/api/targets",
    POST: { json: ({ otherId }) => aTarget({ userId: otherId }) },
  },
  "api/targets/:id": {
    address: ({ targetId }) => `/api/targets/${targetId}`,
    PATCH: { json: ({ otherId }) => ({ items: [anItem()], userId: otherId }) },
  },
  "admin/progress": { address: "/admin/progress", GET: { cells: ADMIN_PAGE, shows: EVERYBODY } },
  "api/admin/progress.csv": { address: "/api/admin/progress.csv", GET: { shows: EVERYBODY } },
  "api/target-presets": { address: "/api/target-presets" },
  "api/progress": { address: "/api/progress" },
};
