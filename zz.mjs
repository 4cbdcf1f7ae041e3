import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFileSync } from "node:fs";
const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source: readFileSync("/tmp/openapi.json","utf8"), absoluteRef: "openapi.json", config });
const by = {}; for (const p of problems) { (by[p.severity+" "+p.ruleId] ??= []).push(p.message+" @ "+p.location?.[0]?.pointer); }
for (const [k,v] of Object.entries(by)) console.log(k, v.length, v.slice(0,3));
console.log(problems.length);
