import { addTarget } from "#app/certification/own-targets.server.ts";
import { targetFromPreset, targetPresetNamed } from "#app/certification/presets/presets.ts";
import type { Db } from "#app/db/client.server.ts";

/** The targets of the demo technician, and for how many days records have counted. */
const PLANS = [
  { preset: "irata-level-2", days: 300 },
  { preset: "snt-tc-1a-level-2-ut", days: 330 },
];

/** Adds the targets of the demo technician, on the day from which their records count. The last one is shown first. */
export async function addDemoTargets(db: Db, userId: number, now: Date): Promise<void> {
  for (const { preset: name, days } of PLANS) {
    const preset = targetPresetNamed(name);
    if (!preset) throw new Error(`there is no preset ${name}`);
    const at = new Date(now.getTime() - days * 86_400_000);
    const since = at.toISOString().slice(0, 10);
    await addTarget(db, userId, { ...targetFromPreset(preset), since }, { key: "demo", now: at });
  }
}
