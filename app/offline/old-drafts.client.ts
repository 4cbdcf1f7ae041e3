import type { Row } from "./row.ts";
import { put } from "./store.client.ts";

/** What version 0.1.0 kept in `localStorage`, under `draft:7:/profile/entries/{key}`, or with `rope-7`. */
interface OldDraft {
  at: number;
  fields: [string, string][];
}

/** Moves the drafts that an earlier version kept in `localStorage` into the store, so that an update loses none. */
export async function moveOldDrafts(): Promise<void> {
  for (const name of Object.keys(localStorage)) {
    const [, rope, userId, path = ""] = /^draft:(rope-)?(\d+)(?::(.*))?$/.exec(name) ?? [];
    if (!userId) continue;
    const row = rowOf(localStorage.getItem(name) ?? "", Number(userId), rope ? "rope_hour" : "entry", path);
    if (row) await put(row);
    localStorage.removeItem(name);
  }
}

function rowOf(text: string, userId: number, kind: Row["kind"], path: string): Row | null {
  try {
    const { at, fields }: OldDraft = JSON.parse(text);
    const body: Row["body"] = [];
    for (const [name, value] of fields) {
      const [, index = 0, field = ""] = /(?:(\d+)\]\.)?(\w+)$/.exec(name) ?? [];
      body[Number(index)] = { ...body[Number(index)], [field]: value };
    }
    const key = path.slice(path.lastIndexOf("/") + 1) || crypto.randomUUID();
    return { key, userId, kind, body, at, state: "typed" };
  } catch {
    return null; // not one of our drafts
  }
}
