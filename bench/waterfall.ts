import type { View } from "./paint.ts";

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 24;
const ROW = 18;

/** One view in a picture, and its title. */
export interface Panel {
  title: string;
  view: View;
}

/**
 * Draws what was fetched and when: for each request a pale bar while it waits for the response, a solid one while the
 * response arrives, and lines for the first paint and for hydration.
 */
export function waterfall(title: string, panels: Panel[]): string {
  const last = Math.max(...panels.flatMap(({ view }) => [view.fcp, view.hydrated ?? 0, ...view.fetched.map(endOf)]));
  const span = Math.ceil(last / 500) * 500;
  const x = (time: number) => LEFT + (Math.min(time, span) / span) * (WIDTH - LEFT - RIGHT);
  let y = 34;
  const parts: string[] = [];
  for (const { title, view } of panels) {
    const { fcp, hydrated, fetched } = view;
    const bytes = fetched.reduce((sum, { bytes }) => sum + bytes, 0);
    parts.push(text(12, y, `${title}: ${bytes.toLocaleString("en")} B in ${fetched.length} requests`, "head"));
    y += 10;
    const top = y;
    for (const request of fetched) {
      const { asked, answered } = request;
      const from = Math.min(answered, endOf(request));
      parts.push(
        text(LEFT - 8, y + 13, nameOf(request.url), "name"),
        bar(x(asked), y + 4, x(from) - x(asked), "wait"),
        bar(x(from), y + 4, Math.max(1.5, x(endOf(request)) - x(from)), "load"),
      );
      y += ROW;
    }
    parts.push(line(x(fcp), top, y, "paint"), text(x(fcp) + 3, y + 11, `first paint ${Math.round(fcp)} ms`, "mark"));
    if (hydrated) {
      const [at, isLate] = [x(hydrated), x(hydrated) > WIDTH - 150];
      const below = at - x(fcp) < 150 ? 23 : 11; // not over the text of the first paint
      parts.push(line(at, top, y, "react"));
      parts.push(
        text(at + (isLate ? -3 : 3), y + below, `hydrated ${Math.round(hydrated)} ms`, isLate ? "end" : "mark"),
      );
    }
    y += 44;
  }
  const axis: string[] = [];
  for (let time = 0; time <= span; time += span > 4_000 ? 1_000 : 500) {
    axis.push(line(x(time), 24, y - 18, "grid"), text(x(time), y - 6, `${time / 1000} s`, "tick"));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 4}" role="img" aria-label="${escapeHtml(title)}">
<style>
text{font:11px system-ui,sans-serif;fill:#1c2733}.title,.head{font-weight:600;font-size:12px}.name{text-anchor:end}.tick{text-anchor:middle;fill:#5b6875}
.end{text-anchor:end}.wait{fill:#b9cbe0}.load{fill:#1f5fa8}.grid{stroke:#e3e8ee}.paint{stroke:#1a7f4b;stroke-width:2}.react{stroke:#b3441e;stroke-width:2;stroke-dasharray:4 3}
</style>
<rect width="${WIDTH}" height="${y + 4}" fill="#fff"/>
${text(12, 16, title, "title")}
${axis.join("\n")}
${parts.join("\n")}
</svg>
`;
}

const endOf = ({ asked, loaded, answered }: View["fetched"][number]) => (loaded > asked ? loaded : answered);

function nameOf(url: string): string {
  const { pathname } = new URL(url);
  const name = pathname.startsWith("/assets/") ? pathname.slice(8).replace(/-[\w-]{8}\.js$/, ".js") : pathname;
  return escapeHtml(name.length > 28 ? `${name.slice(0, 12)}…${name.slice(-14)}` : name);
}

const escapeHtml = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const at = (value: number) => Number(value.toFixed(1));

function text(x: number, y: number, words: string, kind: string): string {
  return `<text x="${at(x)}" y="${at(y)}" class="${kind}">${words}</text>`;
}

function bar(x: number, y: number, width: number, kind: string): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(Math.max(0, width))}" height="10" class="${kind}"/>`;
}

function line(x: number, from: number, to: number, kind: string): string {
  return `<line x1="${at(x)}" x2="${at(x)}" y1="${at(from)}" y2="${at(to)}" class="${kind}"/>`;
}
