import { readFileSync, writeFileSync } from "node:fs";

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
}

/** Packages with a licence file but no licence in package.json. */
const BY_FILE: Record<string, string> = { "png-js": "MIT" };

/** Parts of the product that are not packages. */
const OTHERS = [["Common passwords", "from the list of @zxcvbn-ts/language-common 3.0.4", "MIT"]] as const;

/** `npm run licences`: writes docs/licences.md. */
export default function licences(): void {
  writeFileSync("docs/licences.md", licenceList());
  console.log("docs/licences.md is up to date.");
}

/**
 * The text of docs/licences.md: the packages of the product (in the Worker, the browser and the PDF) from the lockfile,
 * and the number of packages that only build and test it.
 */
export function licenceList(lockfile = "package-lock.json"): string {
  const { packages } = JSON.parse(readFileSync(lockfile, "utf8")) as { packages: Record<string, Locked> };
  const all = Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, locked]) => ({ name: path.split("node_modules/").at(-1) ?? path, ...locked }));
  const product = all.filter(({ dev }) => !dev).sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = [
    ...product.map(({ name, version, license }) => [name, version, license ?? BY_FILE[name] ?? "?"]),
    ...OTHERS.map((other) => [...other]),
  ].map((row) => `| ${row.join(" | ")} |`);
  const tools = new Map<string, number>();
  for (const { license = "?" } of all.filter(({ dev }) => dev)) tools.set(license, (tools.get(license) ?? 0) + 1);
  const counts = [...tools]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, n]) => `| ${name} | ${n} |`);
  return `# Licences

Made by \`npm run licences\` from \`package-lock.json\`; a test compares the two. The product itself is under the MIT licence.

## In the product

The packages that \`dependencies\` bring; much of them is left out of the bundles.

| Package | Version | Licence |
| --- | --- | --- |
${[...new Set(rows)].join("\n")}

## Tools

They build and test the product and are no part of it.

| Licence | Packages |
| --- | --- |
${counts.join("\n")}
`;
}
