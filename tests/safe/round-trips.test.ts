import { startApp } from "#tests/worker/app.ts";
import { checkRoundTrips } from "#tests/worker/round-trip.ts";
import { reportFigure, search } from "./figures.ts";

/* Seen to fail with an import that leaves the apostrophe before `+47`. */

/** `npm test` makes 20 logs in app/transfer/export.worker.test.ts. */
const logs = Number(process.env.SAFE_LOGS ?? 1);

search(
  `export, import and export give the same file, for ${logs} random logs`,
  {
    timeout: 60_000 + logs * 2_000,
  },
  async () => {
    await checkRoundTrips(await startApp(), logs);
    reportFigure("Export, import, export", `${logs} random logs, none differs`);
  },
);
