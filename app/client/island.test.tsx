import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Island } from "./island.tsx";
import type { Moment } from "./when-to-hydrate.client.ts";

function Greeting({ name }: { name: string }) {
  return <p>Hello {name}</p>;
}

/** The attributes of the element as a browser parses them. */
function attributesOf(html: string): Record<string, string | undefined> {
  const plain = (text: string) =>
    text
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const [tag = ""] = /^<div[^>]*>/.exec(html) ?? [];
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value = ""]) => [key, plain(value)]));
}

function render(name: string, when: Moment = "interaction") {
  return renderToStaticMarkup(<Island of={Greeting} name="ui/greeting" props={{ name }} when={when} />);
}

test("an island is complete HTML before any script", () => {
  expect(render("Kari")).toContain("<p>Hello Kari</p>");
});

test("its element has the island's name, when to hydrate it, and its props", () => {
  const attributes = attributesOf(render("Kari", "interaction"));
  expect(attributes).toMatchObject({ "data-island": "ui/greeting", "data-when": "interaction" });
  expect(JSON.parse(attributes["data-props"] ?? "")).toEqual({ name: "Kari" });
});

test("props arrive unchanged, whatever text they contain", () => {
  for (const name of [`"><script>alert(1)</script>`, 'O\'Brien & "Co" </div>', "山田 \u2028 🚀", "\\u003c &quot;"]) {
    expect(JSON.parse(attributesOf(render(name))["data-props"] ?? "")).toEqual({ name });
  }
});

test("an island has neither an inline script nor a style attribute, which the CSP would block", () => {
  expect(render("Kari")).not.toMatch(/<script|style=/);
});

const modules = import.meta.glob<{ default?: unknown }>("../**/*.island.tsx");
const sources = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

test("every island's name is the path of a module", () => {
  const used = Object.entries(sources)
    .filter(([path]) => !path.endsWith(".test.tsx"))
    .flatMap(([, source]) => [...source.matchAll(/<Island\b[^>]*?\bname="([^"]+)"/gs)].map(([, name]) => name));
  for (const name of used) expect(Object.keys(modules)).toContain(`../${name}.island.tsx`);
});

test.each(Object.keys(modules))("%s exports its component as default", async (path) => {
  expect((await modules[path]?.())?.default).toBeTypeOf("function");
});
