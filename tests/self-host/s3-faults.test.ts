import { readdirSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { expect, test } from "vitest";
import { rootOf } from "#self-host/backups/s3.ts";
import { limitFileSizes, survivingFullDisk } from "./disk.ts";
import { ACCESS_KEY, BUCKET, REGION, SECRET_KEY } from "./s3-server.ts";
import { dataFolder, logged, register, SETTINGS, start, visit } from "./start.ts";
import { backUp, s3ForTest, settingsFor } from "./stored-backups.ts";

const OTHERS = ["hours/hours-tracker-2020-01-01T00-00-00Z.sql.gz", "hours/notes.txt", "elsewhere/file"];

test("an S3 store that is down, refuses, hangs, or breaks off is named, keeps nothing, and harms neither the folder nor /healthz", async () => {
  const s3 = await s3ForTest();
  const data = dataFolder();
  const settings = settingsFor(s3);
  const running = await start(data, { ...settings, S3_TIMEOUT_MS: "1500" });
  await register(running, "ada@example.com");
  const faults: [
    words: string,
    fault: (request: IncomingMessage, response: ServerResponse) => unknown,
    reason: string,
  ][] = [
    ["500", (_, response) => response.writeHead(500).end(), "500"],
    ["hangs", () => true, "cannot be reached"],
    ["breaks off", (request) => request.destroy(), "cannot be reached"],
  ];
  for (const [words, fault, reason] of faults) {
    s3.fault = (request, response) => {
      if (request.method !== "PUT" || request.url?.endsWith(".json")) return false;
      fault(request, response);
      return true;
    };
    const answer = await backUp(running);
    expect([words, answer.status, answer.message]).toEqual([words, 500, expect.stringContaining(reason)]);
    expect([...s3.objects.keys()]).toEqual([]);
    expect((await visit(`${running.url}/healthz`)).status).toBe(200);
  }
  // The store keeps other bytes than it was sent.
  s3.fault = null;
  const { set } = s3.objects;
  s3.objects.set = (key, bytes) => set.call(s3.objects, key, bytes.subarray(0, -9));
  expect(await backUp(running)).toMatchObject({ status: 500, message: expect.stringContaining("reading") });
  expect([...s3.objects.keys()]).toEqual([]);
  s3.objects.set = set;
  await running.stop();
  expect(readdirSync(join(data, "backups")).length).toBe(8); // those by hand are kept, each with its note

  for (const [env, reason] of [
    [{ S3_SECRET_ACCESS_KEY: "another" }, /403 \(SignatureDoesNotMatch\).*check S3_SECRET_ACCESS_KEY/],
    [{ S3_ACCESS_KEY_ID: "another" }, /403 \(InvalidAccessKeyId\).*check S3_ACCESS_KEY_ID/],
    [{ S3_REGION: "eu-west-1" }, /AuthorizationHeaderMalformed.*check S3_REGION/],
    [{ S3_BUCKET: "another" }, /404 \(NoSuchBucket\).*check S3_BUCKET/],
    [{ S3_ENDPOINT: "http://127.0.0.1:9" }, /cannot be reached/],
  ] as const) {
    const wrong = await start(data, { ...settings, ...env });
    expect((await backUp(wrong)).message).toMatch(reason);
    await wrong.stop("SIGKILL");
    expect(wrong.log.join("\n")).not.toContain(SECRET_KEY);
  }
});

test("the timer logs a failed copy and makes it later; a listing in pages, and files of others, are no obstacle", async () => {
  const s3 = await s3ForTest();
  for (const key of OTHERS) s3.objects.set(key, Buffer.from("x"));
  s3.pageSize = 1;
  const data = dataFolder();
  const settings = settingsFor(s3);
  const first = await start(data, settings);
  await register(first, "ada@example.com");
  await first.stop();
  rmSync(join(data, "clock"), { recursive: true }); // its next alarm would come in a minute
  s3.fault = (_request, response) => response.writeHead(503).end();
  const running = await start(data, { ...settings, BACKUP_AT: "02:30" });
  await visit(`${running.url}/healthz`);
  const failed = JSON.parse(await logged(running.log, /"backup failed"/));
  expect(failed).toMatchObject({
    level: "error",
    place: "s3",
    againInMinutes: 1,
    problem: expect.stringContaining("503"),
  });
  await running.stop();
  rmSync(join(data, "clock"), { recursive: true });
  s3.fault = null;
  const again = await start(data, { ...settings, BACKUP_AT: "02:30" });
  await visit(`${again.url}/healthz`);
  const stored = JSON.parse(await logged(again.log, /"backup stored","place":"s3"/));
  expect([...s3.objects.keys()]).toEqual([...OTHERS, `hours/${stored.backup}`, `hours/${stored.backup}.json`]);
});

test("on a full disk no backup is stored, the earlier ones stay, and later the next one succeeds", async () => {
  const data = dataFolder();
  const running = await start(data, { ...SETTINGS, BACKUP_AT: "off" }, survivingFullDisk(dataFolder()));
  await register(running, "ada@example.com");
  const { backup } = await backUp(running);
  limitFileSizes(running.pid, 1);
  expect(await backUp(running)).toMatchObject({
    status: 500,
    message: expect.stringMatching(/is the disk full, or a file damaged\?$|is the disk full\?$/),
  });
  expect(readdirSync(join(data, "backups")).sort()).toEqual([backup, `${backup}.json`]);
  limitFileSizes(running.pid, "unlimited");
  expect(await backUp(running)).toMatchObject({ status: 200 });
});

// Names such as hours-backups.localhost are not resolved everywhere, so the request is sent to the address itself.
test("with virtual-host addresses the bucket is a part of the host, and the signature holds", async () => {
  expect(rootOf({ endpoint: "https://s3.example.com", bucket: BUCKET, isVirtualHost: false })).toBe(
    `https://s3.example.com/${BUCKET}`,
  );
  const s3 = await s3ForTest();
  const root = rootOf({ endpoint: "http://s3.example.com", bucket: BUCKET, isVirtualHost: true });
  expect(root).toBe(`http://${BUCKET}.s3.example.com`);
  s3.objects.set("hours/a", Buffer.from("x"));
  const client = new AwsClient({ accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY, region: REGION, service: "s3" });
  const { headers } = await client.sign(`${root}?list-type=2&prefix=hours%2F`, {
    headers: { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" },
  });
  const { request } = await import("node:http");
  const status = await new Promise((resolve) => {
    const sent = request(`${s3.url}/?list-type=2&prefix=hours%2F`, {
      headers: { ...Object.fromEntries(headers), Host: new URL(root).host },
    });
    sent.on("response", ({ statusCode }) => resolve(statusCode)).end();
  });
  expect(status).toBe(200);
});
