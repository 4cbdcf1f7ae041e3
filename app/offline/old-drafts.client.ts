import type { Row } from "./row.ts";
import { put } from "./store.client.ts";

/** What version 0.1.0 kept in `localStorage`, under `draft:7:/profile/entries/{key}`, or with `rope-7`. */
interface OldDraft {
  at: number;
  fields: [name: string, value: string][];
}

/** Moves the drafts that an earlier version kept in `localStorage` into the store, so that an update loses none. */
export async function moveOldDrafts(): Promise<void> {
  for (const name of Object.keys(localStorage)) {
    const [, rope, userId, path = ""] = /^draft:(rope-)?(\d+)(?::(.*))?$/.exec(name) ?? [];
    if (!userId) continue;
    const draft = parse(localStorage.getItem(name) ?? "");
    const kind: Row["kind"] = rope ? "rope_hour" : "entry";
    const key = path.split("/").pop() || crypto.randomUUID();
    if (draft) await put({ key, userId, kind, body: draft.fields, at: draft.at, state: "typed" });
    localStorage.removeItem(name);
  }
}

function parse(text: string): OldDraft | null {
  try {
    const draft = JSON.parse(text);
    return Array.isArray(draft.fields) ? draft : null;
  } catch {
    return null; // not one of our drafts
  }
}
