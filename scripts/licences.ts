import { writeFileSync } from "node:fs";
import { licenceList } from "#scripts/lib/licence-list.ts";

/** `npm run licences`: writes docs/licences.md anew. */
export default function licences(): void {
  writeFileSync("docs/licences.md", licenceList());
  console.log("docs/licences.md is up to date.");
}
