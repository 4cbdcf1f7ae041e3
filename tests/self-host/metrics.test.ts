import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { BINARY } from "#scripts/binary.ts";
import { type Running, startBinary } from "#self-host/build/running.ts";
import { readsAs } from "./disk.ts";
import { checkDocuments, exprOf } from "./metrics-documents.ts";
import { type NpmStart, npmStart } from "./npm-start.ts";
import { parseExposition, type Scraped } from "./prometheus-text.ts";
import { endWriting, sendRaw, statusesIn } from "./raw.ts";
import { cookieOf, dataFolder, logged, register, SETTINGS, start, visit } from "./start.ts";

/* /metrics of the executable and of `npm start`, which share its code. */

const METRICS_TOKEN = "fedcba9876543210fedcba9876543210";
const HOLDER = { Authorization: `Bearer ${METRICS_TOKEN}` };

async function scrape({ url }: { url: string }): Promise<Map<string, Scraped>> {
  const answer = await visit(`${url}/metrics`, { headers: HOLDER });
  expect([answer.status, answer.headers.get("Content-Type"), answer.headers.get("Cache-Control")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  return parseExposition(await answer.text());
}

/** The number of a metric's sample with these labels, or undefined. */
function numberIn(
  metrics: Map<string, Scraped>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  return metrics
    .get(`hourstracker_${name}`)
    ?.samples.find((sample) => wanted.every(([label, value]) => sample.labels[label] === value))?.value;
}

/** A mail service that answers with this status. */
async function mailService(status: number): Promise<Record<string, string>> {
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(status, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    MAILCHANNELS_API_KEY: "a key",
    MAILCHANNELS_BASE_URL: `http://127.0.0.1:${port}`,
    MAIL_FROM: "hours@example.com",
    PUBLIC_ORIGIN: "http://localhost:8787",
  };
}

let binary: Running;
let npm: NpmStart;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "hours-tracker-metrics-"));
  const env = { ...SETTINGS, METRICS_TOKEN, TRUST_PROXY: "1" };
  [binary, npm] = await Promise.all([
    startBinary({ program: BINARY, data: join(folder, "binary"), env }),
    npmStart(join(folder, "npm"), { METRICS_TOKEN }),
  ]);
  return async () => {
    await Promise.all([binary.stop("SIGKILL"), npm.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
});

test("requests are counted by the route's pattern, and no word of a client becomes a label", async () => {
  for (const server of [binary, npm]) {
    const ask = (path: string, method = "GET") => visit(server.url + path, { method });
    for (const path of [
      "/",
      "/auth",
      "/auth?tab=register",
      "/verify/a-secret-token",
      "/made-up",
      "/%00",
      "/api/made-up",
    ]) {
      await ask(path);
    }
    await ask("/auth", "PROPFIND");
    await ask("/api/entries", "DELETE");
    const head = 'GET /auth HTTP/1.1\r\nHost: evil-host.example\r\nUser-Agent: evil"agent\r\nConnection: close\r\n\r\n';
    await sendRaw(server.port, head, { onFirstData: endWriting });
    const metrics = await scrape(server);
    const count = (labels: Record<string, string>) => numberIn(metrics, "http_requests_total", labels);
    expect(count({ route: "/auth", method: "GET", status: "200" })).toBeGreaterThanOrEqual(2);
    expect(count({ route: "/auth", method: "GET", status: "421" })).toBe(1);
    expect(count({ route: "/", method: "GET" })).toBe(1);
    expect(count({ route: "/verify/:token", method: "GET", status: "404" })).toBe(1);
    expect(count({ route: "/*", method: "GET", status: "404" })).toBe(3);
    expect(count({ route: "/auth", method: "other", status: "405" })).toBe(1);
    expect(count({ route: "/api/entries", method: "DELETE", status: "405" })).toBe(1);
    const all = [...metrics.values()].flatMap(({ samples }) => samples);
    expect(all.filter(({ labels }) => /secret|made-up|evil|PROPFIND/.test(JSON.stringify(labels)))).toEqual([]);
  }
});

test("both servers show the same metrics, except for backups, and each of them is in the documentation, the dashboard or the alert rules", async () => {
  const [ofBinary, ofNpm] = [await scrape(binary), await scrape(npm)];
  await visit(`${binary.url}/backup`, { headers: { Authorization: `Bearer ${SETTINGS.BACKUP_TOKEN}` } });
  const all = [...(await scrape(binary)).keys()];
  expect(all).toContain("hourstracker_backup_age_seconds");
  expect(all).toContain("hourstracker_backup_failed_attempts");
  expect([...ofNpm.keys()]).toEqual([...ofBinary.keys()].filter((name) => !name.includes("_backup_")));
  checkDocuments(all);
});

const HAS_PROMTOOL = spawnSync("promtool", ["--version"]).error === undefined;

test.runIf(HAS_PROMTOOL)(
  "promtool finds nothing wrong with the metrics and the alert rules, and no panel divides by no requests",
  async () => {
    const check = (args: string[], input = "") => spawnSync("promtool", args, { encoding: "utf8", input });
    for (const { url } of [binary, npm]) {
      const text = await (await visit(`${url}/metrics`, { headers: HOLDER })).text();
      const { status, stdout, stderr } = check(["check", "metrics"], text);
      expect([status, stdout + stderr]).toEqual([0, ""]);
    }
    expect(check(["check", "rules", "docs/grafana/alerts.yml"]).status).toBe(0);
    const expr = exprOf("Errors in 5 minutes").replace(/\{[^}]*\}/g, "");
    const file = join(dataFolder(), "rules.yml");
    const series = (errors: string, requests: string) => ({
      interval: "1m",
      input_series: [
        { series: "hourstracker_ready", values: "1+0x20" },
        { series: "hourstracker_http_errors_total", values: errors },
        { series: "hourstracker_http_requests_total", values: requests },
      ],
    });
    const answers = (value: number) => ({
      promql_expr_test: [{ expr, eval_time: "15m", exp_samples: [{ labels: "{}", value }] }],
    });
    const tests = [
      { ...series("3+0x20", "7+0x20"), ...answers(0) }, // no traffic
      { ...series("0+1x20", "0+4x20"), ...answers(0.25) },
    ];
    writeFileSync(file, JSON.stringify({ rule_files: [], evaluation_interval: "1m", tests }));
    const { status, stdout, stderr } = check(["test", "rules", file]);
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("SUCCESS")]);
  },
);

test("the database, the outbox and the sweep are measured", async () => {
  for (const status of [503, 400, 403]) {
    const running = await start(dataFolder(), { ...SETTINGS, METRICS_TOKEN, ...(await mailService(status)) });
    expect(numberIn(await scrape(running), "outbox_oldest_waiting_age_seconds")).toBe(0);
    await register(running, "ada@example.com"); // one email: her address is to be confirmed
    const [name, labels] = status !== 400 ? (["waiting", {}] as const) : (["failed", { reason: "refused" }] as const);
    const isCounted = async () => numberIn(await scrape(running), `outbox_${name}_messages`, labels) === 1;
    expect([status, await readsAs(isCounted, true)]).toEqual([status, true]);
    const metrics = await scrape(running);
    if (status !== 400) expect(numberIn(metrics, "outbox_oldest_waiting_age_seconds")).toBeGreaterThan(0);
    const isKeyRefused = async () => numberIn(await scrape(running), "outbox_key_refused") === 1;
    expect([status, await readsAs(isKeyRefused, status === 403)]).toEqual([status, true]);
    expect(numberIn(metrics, "database_size_bytes")).toBeGreaterThan(100_000);
    expect(numberIn(metrics, "sweep_age_seconds")).toBeLessThan(120);
    expect(numberIn(metrics, "ready")).toBe(1);
    expect(numberIn(metrics, "outbox_failed_messages", { reason: "unknown" })).toBe(0);
  }
});

// Detects a reader that takes the first of two headers, where a proxy in front may have checked the second.
test("only the holder of the token gets the metrics, in its one form", async () => {
  for (const server of [binary, npm]) {
    const send = (lines: string, path = "/metrics", method = "GET") =>
      sendRaw(server.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`, {
        onFirstData: endWriting,
      });
    const right = `Authorization: Bearer ${METRICS_TOKEN}\r\n`;
    const wrong = {
      "no header": await send(""),
      "an empty token": await send("Authorization: Bearer \r\n"),
      "another scheme": await send(`Authorization: Basic ${METRICS_TOKEN}\r\n`),
      "the token of backups": await send(`Authorization: Bearer ${SETTINGS.BACKUP_TOKEN}\r\n`),
      "the header twice, the right one first": await send(`${right}Authorization: Bearer x\r\n`),
      "the token in the query": await send("", `/metrics?token=${METRICS_TOKEN}&access_token=${METRICS_TOKEN}`),
    };
    for (const [name, answer] of Object.entries(wrong)) {
      expect([name, statusesIn(answer)]).toEqual([name, [401]]);
      expect(answer).toMatch(/WWW-Authenticate: Bearer/i);
      expect(answer).not.toContain("hourstracker");
    }
    for (const method of ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await send(`${right}Content-Length: 0\r\n`, "/metrics", method);
      expect([method, statusesIn(answer)]).toEqual([method, [405]]);
      expect(answer).toMatch(/Allow: GET\r/i);
    }
    expect(statusesIn(await send(right))).toEqual([200]);
    expect(statusesIn(await send(right, "/metrics?x=1"))).toEqual([200]);
    for (const path of ["/metrics/", "/Metrics", "/metrics/x"]) {
      expect([path, statusesIn(await send(right, path))]).toEqual([path, [404]]);
    }
  }
  const output = [...binary.log, ...npm.output].join("\n");
  expect(output).not.toContain(METRICS_TOKEN);
  expect(output).toContain("metrics_refused");
});

// Detects a limit that counts all clients, or the right token: a stranger could then prevent backups.
test("wrong tokens for /metrics and /backup are limited together, by network, and logged; the right one is never refused", async () => {
  const ask = async (path: string, token: string, network: string) => {
    const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": network };
    return (await visit(binary.url + path, { headers })).status;
  };
  let refused = "";
  // Nine at each path. A new minute may start in between, but not in two rounds.
  for (const network of ["192.0.2.7", "192.0.2.8", "192.0.2.9"]) {
    const guesses: number[] = [];
    for (let n = 0; n < 18; n += 1) guesses.push(await ask(n % 2 ? "/metrics" : "/backup", `guess-${n}`, network));
    expect(guesses.slice(0, 10)).toEqual(Array(10).fill(401));
    if (guesses.includes(429)) refused = network;
  }
  expect(refused).not.toBe("");
  expect(await ask("/metrics", METRICS_TOKEN, refused)).toBe(200);
  expect(await ask("/backup", SETTINGS.BACKUP_TOKEN, refused)).toBe(200);
  expect(await ask("/metrics", "guess", "192.0.2.10")).toBe(401);
  for (const path of ["/metrics", "/backup"]) {
    await logged(binary.log, new RegExp(`"what":"rate_limited".*self-host${path}`));
  }
});

test("npm start prints a link to what is not configured, by which the first admin is made", async () => {
  const link = /http:\/\/localhost:\d+\/set-up\/[\w-]{43}/.exec(npm.output.join("\n"))?.[0] ?? "";
  expect(new URL(link).port).toBe(String(npm.port));
  const page = await (await visit(link)).text();
  expect(page).toContain("No email leaves this machine. /dev/mail shows");
  expect((await visit(`${npm.url}/set-up`)).status).toBe(404);
  const body = new URLSearchParams({ email: "boss@example.com", password: "correct horse" });
  const made = await visit(`${link}?as=register`, { method: "POST", body });
  expect([made.status, made.headers.get("Location")]).toEqual([303, "/admin"]);
  expect((await visit(link)).status).toBe(404);
  const configuration = await visit(`${npm.url}/set-up`, { headers: { Cookie: cookieOf(made) } });
  expect([configuration.status, await configuration.text()]).toEqual([
    200,
    expect.stringContaining("PUBLIC_ORIGIN=<wbr/>https://hours.example.com"),
  ]);
});

test("without METRICS_TOKEN /metrics is answered like any unknown path", async () => {
  const running = await start(dataFolder());
  for (const method of ["GET", "POST"]) {
    const [answer, unknown] = await Promise.all(
      ["/metrics", "/made-up"].map(async (path) => {
        const given = await visit(running.url + path, { method, headers: { Authorization: "Bearer undefined" } });
        const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(given.headers);
        return { status: given.status, headers, body: await given.text() };
      }),
    );
    expect(answer).toEqual(unknown);
    expect(answer?.status).toBe(404);
  }
});
