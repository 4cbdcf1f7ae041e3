import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startApp } from "#tests/worker/app.ts";
import { directivesOf } from "#tests/worker/headers.ts";

/*
 * The files that a browser needs to install the app. tests/browser/install.spec.ts checks whether Chromium accepts it.
 */

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose: "any" | "maskable";
}

interface Manifest {
  background_color: string;
  theme_color: string;
  start_url: string;
  icons: Icon[];
  shortcuts: { name: string; url: string }[];
}

const app = await startApp({ assets: true });

/** Responses with their bytes; the tests' client reads text. */
async function fetchFile(path: string): Promise<{ type: string | null; headers: Headers; bytes: Buffer }> {
  const response = await fetch(new URL(path, await app.url));
  expect([path, response.status]).toEqual([path, 200]);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { type: response.headers.get("Content-Type"), headers: response.headers, bytes };
}

async function readManifest(): Promise<Manifest> {
  const { type, bytes } = await fetchFile("/manifest.webmanifest");
  expect(type).toBe("application/manifest+json");
  return JSON.parse(bytes.toString());
}

// Catches an icon drawn in another size than the manifest says, for which Chromium does not offer to install the app.
test("every icon has the type and the size that the manifest names, and may be cached for ever", async () => {
  const { icons } = await readManifest();
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    ...["192x192 any", "512x512 any", "192x192 maskable", "512x512 maskable", "any any"],
  ]);
  for (const { src, sizes, type } of icons) {
    const file = await fetchFile(src);
    expect([src, file.type]).toEqual([src, type]);
    expect(file.headers.get("Cache-Control")).toBe("max-age=31536000, immutable");
    const { width, height } = await sharp(file.bytes).metadata();
    expect([src, type.endsWith("png") ? `${width}x${height}` : "any"]).toEqual([src, sizes]);
  }
  const apple = await fetchFile("/apple-touch-icon.png");
  expect([apple.type, (await sharp(apple.bytes).metadata()).width]).toEqual(["image/png", 180]);
});

// Catches a drawing that a system's round mask cuts: one 15 % larger fails.
test("a maskable icon has nothing but its background outside a circle of 40 % of its width", async () => {
  const { icons } = await readManifest();
  const maskable = icons.filter(({ purpose }) => purpose === "maskable");
  expect(maskable).toHaveLength(2);
  for (const { src } of maskable) {
    const { data, info } = await sharp((await fetchFile(src)).bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const isDrawn = (x: number, y: number) => {
      const at = (y * info.width + x) * info.channels;
      return [0, 1, 2].some((channel) => Math.abs((data[at + channel] ?? 0) - (data[channel] ?? 0)) > 16);
    };
    const middle = (info.width - 1) / 2;
    let farthest = 0;
    for (let y = 0; y < info.height; y += 1) {
      for (let x = 0; x < info.width; x += 1) {
        if (isDrawn(x, y)) farthest = Math.max(farthest, Math.hypot(x - middle, y - middle));
      }
    }
    expect(farthest / info.width).toBeGreaterThan(0.35);
    expect(farthest / info.width).toBeLessThanOrEqual(0.4);
  }
});

test("the colours of the installed app are the light ones of the pages", async () => {
  const { background_color, theme_color } = await readManifest();
  const base = readFileSync("app/ui/base.css", "utf8");
  const light = (name: string) => new RegExp(`--${name}: (#\\w+);`).exec(base)?.[1];
  expect([background_color, theme_color]).toEqual([light("paper"), light("panel")]);
});

test("the app starts with the log, and each shortcut leads to a form for new hours", async () => {
  const ada = await app.register();
  const { start_url, shortcuts } = await readManifest();
  expect((await ada.get(start_url)).status).toBe(200);
  expect(shortcuts.map(({ name }) => name)).toEqual(["Log OJT hours", "Log rope hours"]);
  for (const { url } of shortcuts) {
    const [path = "", id] = url.split("#");
    const { text } = await ada.get(path);
    expect(text).toContain(`<h2 id="${id}">`);
    expect(text.indexOf("<form", text.indexOf(`id="${id}"`))).toBeGreaterThan(0);
  }
});

// Catches `img-src data:` alone: Chromium then loads the manifest and refuses its icons.
test("signed-in pages with a script allow the manifest and its icons, and public pages do not", async () => {
  const ada = await app.register();
  const { "manifest-src": manifest, "img-src": images } = directivesOf(await ada.get("/profile"));
  expect([manifest, images]).toEqual(["'self'", "data: 'self'"]);
  const open = directivesOf(await app.get("/auth"));
  expect([open["manifest-src"], open["img-src"]]).toEqual([undefined, "data:"]);
});

test("the service worker's file may call the app and nothing else, and no cache keeps it", () => {
  const [, rules = ""] = readFileSync("public/_headers", "utf8").split("\n/sw.js\n");
  expect(rules).toContain("Cache-Control: no-cache");
  expect(rules).toContain("Content-Security-Policy: default-src 'none'; connect-src 'self'");
});
