/** One step: what was asked for and what came. Times in milliseconds, from when a request was due. */
export interface Step {
  rate: number;
  answered: number;
  p50: number;
  p95: number;
  p99: number;
  failed: number;
  /** What the failed ones were answered; `none` without an answer. */
  answers: string;
  /** How much of one core the program used, in percent, and its memory in MB. */
  cpu: number;
  memory: number;
}

const WIDTH = 720;
const HEIGHT = 380;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 84, 64, 52];

/** The lines of the picture, with their colours. */
const LINES = [
  ["p99", "#b3441e"],
  ["p95", "#b8860b"],
  ["p50", "#1f5fa8"],
] as const;

/** Draws how long requests take at each rate, on a logarithmic scale, and the rate at which the first ones failed. */
export function loadCurve(steps: Step[], machine: string): string {
  const widest = Math.max(...steps.map(({ rate }) => rate));
  const highest = Math.max(100, ...steps.map(({ p99 }) => p99));
  const decades = Math.ceil(Math.log10(highest));
  const x = (rate: number) => LEFT + (rate / widest) * (WIDTH - LEFT - RIGHT);
  const y = (time: number) => HEIGHT - BOTTOM - (Math.log10(Math.max(1, time)) / decades) * (HEIGHT - TOP - BOTTOM);
  const parts: string[] = [];
  for (let power = 0; power <= decades; power += 1) {
    const time = 10 ** power;
    parts.push(
      `<path class="grid" d="M${LEFT} ${at(y(time))}H${WIDTH - RIGHT}"/>`,
      text(LEFT - 8, y(time) + 4, time < 1_000 ? `${time} ms` : `${time / 1_000} s`, "end"),
    );
  }
  const every = [25, 50, 100, 200, 250, 500].find((step) => widest / step <= 8) ?? 500;
  for (let rate = 0; rate <= widest; rate += every)
    parts.push(text(x(rate), HEIGHT - BOTTOM + 20, String(rate), "mid"));
  parts.push(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "requests a second", "mid"));
  const failing = steps.find(({ failed }) => failed > 0);
  if (failing) {
    const isLate = x(failing.rate) > WIDTH - RIGHT - 110;
    parts.push(
      `<path class="fails" d="M${at(x(failing.rate))} ${TOP - 6}V${HEIGHT - BOTTOM}"/>`,
      text(x(failing.rate) + (isLate ? -5 : 5), TOP + 4, "first failures", isLate ? "end" : ""),
    );
  }
  let below = TOP - 20;
  for (const [name, colour] of LINES) {
    const points = steps.map((step) => `${at(x(step.rate))} ${at(y(step[name]))}`);
    parts.push(`<path class="line" stroke="${colour}" d="M${points.join("L")}"/>`);
    for (const step of steps)
      parts.push(`<circle cx="${at(x(step.rate))}" cy="${at(y(step[name]))}" r="3" fill="${colour}"/>`);
    const last = steps.at(-1);
    // The names do not overlap where the lines meet.
    below = Math.max(below + 16, last ? y(last[name]) + 4 : 0);
    parts.push(`<text x="${WIDTH - RIGHT + 10}" y="${at(below)}" fill="${colour}" class="name">${name}</text>`);
  }
  const title = "Time of a response at each rate of requests";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>
text{font:12px system-ui,sans-serif}text:not(.name){fill:#1c2733}.title{font-weight:600;font-size:14px}text.sub:not(.name){fill:#5b6875}.end{text-anchor:end}.mid{text-anchor:middle}
.grid{stroke:#e3e8ee}.line{fill:none;stroke-width:2}.fails{stroke:#5b6875;stroke-dasharray:4 3}.name{font-weight:600}
</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${text(12, 22, title, "title")}
${text(12, 40, escapeHtml(`The executable: 70 % /profile, 15 % POST /api/entries, 15 % /verify. ${machine}`), "sub")}
${parts.join("\n")}
</svg>
`;
}

const at = (value: number) => Number(value.toFixed(1));
const escapeHtml = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function text(x: number, y: number, words: string, kind: string): string {
  return `<text x="${at(x)}" y="${at(y)}" class="${kind}">${words}</text>`;
}
