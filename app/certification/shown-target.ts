import type { ItemProgress, TargetProgress } from "./progress.ts";
import type { Target, TargetItem } from "./targets.table.ts";

/** Targets and their progress as the JSON calls show them: in hours, days, months and marks, not in hundredths. */

export function shownItem<Item extends TargetItem>(item: Item): Item {
  return { ...item, required: item.required / 100 };
}

export function shownTarget(target: Target) {
  return { ...target, items: target.items.map(shownItem) };
}

export function shownProgress({ target: { id, title }, parts, items }: TargetProgress) {
  return { target: { id, title }, parts, items: items.map(shownItemProgress) };
}

function shownItemProgress(item: ItemProgress) {
  const { title, unit, required, verified, waiting, requested, remaining, estimate, endsOn, notCounted } = item;
  return {
    title,
    unit,
    required: required / 100,
    verified: verified / 100,
    waiting: waiting / 100,
    requested: requested / 100,
    pending: (waiting - requested) / 100,
    remaining: remaining / 100,
    estimate,
    endsOn,
    notCounted: notCounted.map(({ reason, records, hundredths }) => ({ reason, records, hours: hundredths / 100 })),
  };
}
