import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { Plugin, ViteDevServer } from "vite";

/** A file of the installed app. */
interface InstallFile {
  name: string;
  type: string;
  bytes: Buffer;
}

const MANIFEST = "manifest.webmanifest";

/** iOS asks for this name at the root of a site if the page does not name another, so no page has to. */
const APPLE_ICON = "apple-touch-icon.png";

/** A part of the drawing that has less margin, with round corners: for systems that show an icon as it is. */
const FULL = ['viewBox="0 0 512 512"', '<rect width="512" height="512"'] as const;
const ROUND = ['viewBox="34 24 444 444"', '<rect x="34" y="24" width="444" height="444" rx="98"'] as const;

/**
 * Makes `/manifest.webmanifest` and the icons from app/install/. sharp draws them: Miniflare already installs it, as
 * programs or as WebAssembly, so it is no further download. The icons' names change with their content, because browsers
 * keep an icon for as long as its URL is the same.
 */
export function installable(): Plugin {
  let isForBrowser = false;
  return {
    name: "hours-tracker:installable",
    configResolved: ({ build }) => {
      isForBrowser = !build.ssr;
    },
    async generateBundle() {
      if (!isForBrowser) return;
      const icons = await drawIcons();
      const urls = icons.map(({ name, bytes }) => {
        const file = this.emitFile({ type: "asset", name, source: bytes });
        return `/${this.getFileName(file)}`;
      });
      const fixed = [manifest(urls), await appleIcon()];
      for (const { name, bytes } of fixed) this.emitFile({ type: "asset", fileName: name, source: bytes });
    },
    configureServer,
  };
}

/** The same in development, drawn again for each request. */
function configureServer({ middlewares }: ViteDevServer): void {
  middlewares.use(async ({ url = "" }, response: ServerResponse, next) => {
    const path = url.replace(/\?.*/, "").slice(1);
    if (path !== MANIFEST && path !== APPLE_ICON && !path.startsWith("assets/icon-")) return next();
    const icons = (await drawIcons()).map((icon) => ({ ...icon, name: `assets/${icon.name}` }));
    const files = [...icons, manifest(icons.map(({ name }) => `/${name}`)), await appleIcon()];
    const file = files.find(({ name }) => name === path);
    if (!file) return next();
    response.setHeader("Content-Type", file.type);
    response.end(file.bytes);
  });
}

/** Each icon with what the manifest says about it. Maskable ones may be cut to any shape by the system. */
const ICONS = [
  { name: "icon-192.png", width: 192, isMaskable: false },
  { name: "icon-512.png", width: 512, isMaskable: false },
  { name: "icon-maskable-192.png", width: 192, isMaskable: true },
  { name: "icon-maskable-512.png", width: 512, isMaskable: true },
  { name: "icon.svg", width: null, isMaskable: false },
] as const;

async function drawIcons(): Promise<InstallFile[]> {
  const full = readFileSync("app/install/icon.svg", "utf8");
  const round = rounded(full);
  return Promise.all(
    ICONS.map(async ({ name, width, isMaskable }) => {
      const svg = isMaskable ? full : round;
      if (width === null) return { name, type: "image/svg+xml", bytes: Buffer.from(svg) };
      return { name, type: "image/png", bytes: await draw(svg, width) };
    }),
  );
}

/** iOS rounds the corners itself. */
async function appleIcon(): Promise<InstallFile> {
  return { name: APPLE_ICON, type: "image/png", bytes: await draw(readFileSync("app/install/icon.svg", "utf8"), 180) };
}

function rounded(svg: string): string {
  if (!FULL.every((part) => svg.includes(part)))
    throw new Error("icon.svg is no longer drawn as installable() expects");
  return svg
    .replace(FULL[0], ROUND[0])
    .replace(FULL[1], ROUND[1])
    .replace(/<!--.*?-->\s*/s, "");
}

async function draw(svg: string, width: number): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).resize(width).png({ compressionLevel: 9, palette: true }).toBuffer();
}

/** `urls` are those of `ICONS`. */
function manifest(urls: string[]): InstallFile {
  const icons = ICONS.map(({ name, width, isMaskable }, index) => ({
    src: urls[index],
    sizes: width ? `${width}x${width}` : "any",
    type: name.endsWith(".svg") ? "image/svg+xml" : "image/png",
    purpose: isMaskable ? "maskable" : "any",
  }));
  const own = JSON.parse(readFileSync("app/install/manifest.json", "utf8"));
  return { name: MANIFEST, type: "application/manifest+json", bytes: Buffer.from(JSON.stringify({ ...own, icons })) };
}
