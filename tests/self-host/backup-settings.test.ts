import { expect, test } from "vitest";
import { type BackupEnvironment, backupSettingsOf, backupSettingsProblem } from "#self-host/backups/settings.ts";
import { SETTINGS } from "./start.ts";
import { KEY, settingsFor } from "./stored-backups.ts";

const S3 = settingsFor({ url: "https://s3.example.com" });
const problemOf = (env: Record<string, string>) => backupSettingsProblem(env as unknown as BackupEnvironment); // the rest is not set

test("each invalid setting of backups is named, and no secret is in the message", () => {
  for (const [name, values] of [
    ["BACKUP_AT", ["25:00", "2:30", "02:60", "night", "OFF"]],
    ["BACKUP_KEY", ["short", "x".repeat(40), `${KEY} ${KEY}`]],
    ["RESTORE_FROM", ["Latest", "../signing-key", "hours-tracker-2026-11-22.sql.gz"]],
    [
      "S3_ENDPOINT",
      ["s3.example.com", "https://s3.example.com/bucket", "ftp://s3.example.com", "https://me@s3.example.com"],
    ],
    ["S3_BUCKET", ["Bucket", "a", "-bucket", "a/b"]],
    ["S3_REGION", ["EU West", "eu_west"]],
    ["S3_PREFIX", ["/hours", "a//b", "..", "a/../b", "a b", "a?b"]],
    ["S3_ADDRESSING", ["virtual", "host"]],
    ["S3_TIMEOUT_MS", ["0", "99", "1e6", "-5", "ten"]],
  ] as const) {
    for (const value of values) {
      const problem = problemOf({ ...S3, [name]: value });
      expect([name, value, problem]).toEqual([name, value, expect.stringMatching(new RegExp(`^${name} must`))]);
      if (name === "BACKUP_KEY") expect(problem).not.toContain(value);
    }
  }
  for (const name of ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]) {
    expect(problemOf({ ...S3, [name]: "" })).toMatch(new RegExp(`is set, but ${name} is missing`));
  }
  expect(problemOf({ S3_REGION: "auto" })).toContain("S3_ENDPOINT and S3_BUCKET and");
  for (const env of [
    S3,
    SETTINGS,
    { RESTORE_FROM: "hours-tracker-2026-11-22T02-30-04Z.sql.gz" },
    { ...S3, BACKUP_KEY: KEY, S3_PREFIX: "a/b/", S3_ADDRESSING: "virtual-host" },
  ]) {
    expect(problemOf(env)).toBeNull();
  }
  expect(
    backupSettingsOf({ ...S3, S3_ENDPOINT: "https://s3.example.com/", BACKUP_AT: "" } as unknown as BackupEnvironment),
  ).toMatchObject({
    at: "02:30",
    s3: { endpoint: "https://s3.example.com", prefix: "hours/", isVirtualHost: false, timeout: 1_800_000 },
  });
});
