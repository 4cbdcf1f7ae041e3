import { readFileSync, writeFileSync } from "node:fs";
import { COMMON_PASSWORDS, hashOf } from "#app/accounts/common-passwords.server.ts";
import { fail } from "./lib/process.ts";

const TARGET = "app/accounts/common-passwords.data.ts";

/**
 * `npm run common-passwords -- list.json`: makes the hashes of the most common passwords from a list of words, in JSON
 * or a line each, the most common first. Only those that are long enough to be set count.
 */
export default function commonPasswords([file]: string[]): void {
  if (!file) fail("Which list? npm run common-passwords -- list.json");
  const text = readFileSync(file, "utf8");
  const words: string[] = text.trimStart().startsWith("[") ? JSON.parse(text) : text.split("\n");
  const long = [...new Set(words.map((word) => word.trim().toLowerCase()))].filter((word) => [...word].length >= 8);
  const hashes = Uint32Array.from(long.slice(0, COMMON_PASSWORDS).map(hashOf)).sort();
  const base64 = Buffer.from(hashes.buffer).toString("base64");
  writeFileSync(
    TARGET,
    `// Made by \`npm run common-passwords\`: 32-bit hashes of the ${hashes.length} most common passwords of 8 characters and more.
// From the list of @zxcvbn-ts/language-common 3.0.4 (MIT).
export const COMMON_PASSWORD_HASHES =
  "${base64}";
`,
  );
  console.log(`${hashes.length} hashes, ${base64.length} characters, in ${TARGET}`);
}
