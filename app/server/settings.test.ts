import { expect, test } from "vitest";
import { settingsProblem, smtpServerOf } from "./settings.ts";

const SESSION_SECRET = "a secret for tests, of 32 bytes.";

test("a secret of 32 bytes is the only required setting", () => {
  expect(settingsProblem({ SESSION_SECRET })).toBeNull();
  expect(settingsProblem({ SESSION_SECRET: "åäöÿß".repeat(4) })).toBeNull();
  expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY: "", PUBLIC_ORIGIN: "" })).toBeNull();
});

test("a missing secret or one under 32 bytes is rejected, with the command that makes one", () => {
  expect(settingsProblem({})).toMatch(/SESSION_SECRET is missing.*openssl rand -base64 32/);
  const problem = settingsProblem({ SESSION_SECRET: "y".repeat(31) });
  expect(problem).toMatch(/SESSION_SECRET is too short.*openssl rand -base64 32/);
  expect(problem).not.toContain("yy");
});

// Detects a check of the length alone. A guessed secret makes reset links for every account.
test("a secret of blanks or of a few repeated characters is rejected", () => {
  for (const SESSION_SECRET of [" ".repeat(44), "\u3000".repeat(44), `short${" ".repeat(40)}`]) {
    expect([SESSION_SECRET, settingsProblem({ SESSION_SECRET })]).toEqual([
      SESSION_SECRET,
      expect.stringContaining("SESSION_SECRET is too short"),
    ]);
  }
  for (const SESSION_SECRET of ["x".repeat(44), "ab".repeat(22), "1234".repeat(8)]) {
    expect([SESSION_SECRET, settingsProblem({ SESSION_SECRET })]).toEqual([
      SESSION_SECRET,
      expect.stringMatching(/SESSION_SECRET is easy to guess.*openssl rand -base64 32/),
    ]);
  }
});

// Catches one that only turns email off: the operator would learn it from technicians.
test("MAIL_FROM is an address, with a name or without, or empty", () => {
  for (const MAIL_FROM of ["", "hours@example.com", "Hours Tracker <hours@example.com>", "<hours@example.com>"]) {
    expect([MAIL_FROM, settingsProblem({ SESSION_SECRET, MAIL_FROM })]).toEqual([MAIL_FROM, null]);
  }
  for (const MAIL_FROM of [
    ...["hours", "hours@example", "Hours Tracker", "Hours Tracker <hours>", "Hours Tracker hours@example.com"],
    ...["Hours <hours@example.com", "a@example.com, b@example.com", "Hours\r\nBcc: x <hours@example.com>", " "],
  ]) {
    const problem = settingsProblem({ SESSION_SECRET, MAIL_FROM });
    expect([MAIL_FROM, problem]).toEqual([MAIL_FROM, expect.stringContaining("MAIL_FROM must be an address")]);
  }
});

test("RESET_ADMIN is an email address, or empty", () => {
  for (const RESET_ADMIN of ["", "ada@example.com", " Ada@Example.com ", "Ada <ada@example.com>"]) {
    expect([RESET_ADMIN, settingsProblem({ SESSION_SECRET, RESET_ADMIN })]).toEqual([RESET_ADMIN, null]);
  }
  for (const RESET_ADMIN of ["1", "ada", "ada@example", "Ada <ada>", "a@example.com, b@example.com", " "]) {
    const problem = settingsProblem({ SESSION_SECRET, RESET_ADMIN });
    expect([RESET_ADMIN, problem]).toEqual([RESET_ADMIN, expect.stringContaining("RESET_ADMIN must be the email")]);
  }
});

test("REQUESTS_PER_MINUTE, the time limits of email and MAILCHANNELS_BASE_URL are refused by their names if they cannot be used", () => {
  const cases: Record<string, { right: string[]; wrong: string[] }> = {
    REQUESTS_PER_MINUTE: { right: ["", "1", "600", "100000000"], wrong: ["-5", "0", "abc", "1.5", "1e3", " 5"] },
    MAIL_TIMEOUT_MS: { right: ["", "100", "10000", "60000"], wrong: ["10s", "-1", "0", "60001", "99"] },
    MAIL_ANSWER_TIMEOUT_MS: { right: ["", "100", "600000"], wrong: ["10m", "0", "600001"] },
    MAILCHANNELS_BASE_URL: {
      right: ["", "https://api.mailchannels.net", "http://127.0.0.1:9", "https://relay.example/mail/"],
      wrong: [
        "nonsense",
        "api.mailchannels.net",
        "ftp://x.example",
        "http://",
        "https://a:b@x.example",
        "http://x:99999",
      ],
    },
  };
  for (const [name, { right, wrong }] of Object.entries(cases)) {
    for (const value of right)
      expect([name, value, settingsProblem({ SESSION_SECRET, [name]: value })]).toEqual([name, value, null]);
    for (const value of wrong) {
      const problem = settingsProblem({ SESSION_SECRET, [name]: value });
      expect([name, value, problem]).toEqual([name, value, expect.stringMatching(`^${name} must be .*${value}`)]);
    }
  }
});

test("SMTP_URL names scheme, user and password, host and port; anything else is refused in one sentence that has no password", () => {
  const right: [string, ReturnType<typeof smtpServerOf>][] = [
    [
      "smtps://me:secret@mail.example.com",
      { host: "mail.example.com", port: 465, tls: "on", user: "me", password: "secret" },
    ],
    ["SMTP://me%40example.com:p%2F%C3%B6:@Mail.example.com:2525/", null],
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "starttls", user: null, password: null }],
    ["smtp://[::1]:25", { host: "::1", port: 25, tls: "off", user: null, password: null }],
    [
      "smtp://bücher.example",
      { host: "xn--bcher-kva.example", port: 587, tls: "starttls", user: null, password: null },
    ],
    ["smtps://127.0.0.1", { host: "127.0.0.1", port: 465, tls: "on", user: null, password: null }],
  ];
  for (const [SMTP_URL, server] of right) {
    expect([SMTP_URL, settingsProblem({ SESSION_SECRET, SMTP_URL })]).toEqual([SMTP_URL, null]);
    if (server) expect(smtpServerOf(SMTP_URL)).toEqual(server);
  }
  expect(smtpServerOf(right[1]?.[0] ?? "")).toMatchObject({
    user: "me@example.com",
    password: "p/ö:",
    tls: "starttls",
  });
  for (const SMTP_URL of [
    ...["mail.example.com", "mail.example.com:587", "http://me:secret@mail.example.com", "smtp:mail.example.com"],
    ...["smtps://", "smtps://me:secret@", "smtps://me@mail.example.com", "smtps://:secret@mail.example.com"],
    ...["smtps://me:@mail.example.com", "smtps://me:sec@ret@mail.example.com", "smtps://me:sec/ret@mail.example.com"],
    ...[
      "smtps://me:sec#ret@mail.example.com",
      "smtps://me:100%@mail.example.com",
      "smtps://me:a%0D%0Ab@mail.example.com",
    ],
    ...["smtps://mail.example.com:0", "smtps://mail.example.com:65536", "smtps://mail.example.com:port", "smtps://a b"],
    ...[
      "smtps://mail.example.com/path",
      "smtps://mail.example.com?tls=no",
      "smtps://mail.example.com#x",
      " smtp://a.b",
    ],
    ...["smtp://a.b\n", "smtp://[::1", "smtp://999.1.1.1", "smtps://a.b,smtps://c.d"],
  ]) {
    const problem = settingsProblem({ SESSION_SECRET, SMTP_URL });
    expect([SMTP_URL, problem]).toEqual([SMTP_URL, expect.stringMatching(/^SMTP_URL must be such as [^\n]+\.$/)]);
    expect(problem).not.toContain("secret");
  }
});

test("SMTP_URL and a setting of MailChannels at once are refused, and so is a sender that SMTP cannot name", () => {
  const SMTP_URL = "smtps://me:secret@mail.example.com";
  for (const other of [{ MAILCHANNELS_API_KEY: "key" }, { MAILCHANNELS_BASE_URL: "https://relay.example" }]) {
    expect(settingsProblem({ SESSION_SECRET, SMTP_URL, ...other })).toMatch(/^SMTP_URL and .* cannot be set at once/);
  }
  const MAIL_FROM = "Hours <høurs@example.com>";
  expect(settingsProblem({ SESSION_SECRET, SMTP_URL, MAIL_FROM })).toContain("MAIL_FROM must have an address in ASCII");
  expect(settingsProblem({ SESSION_SECRET, MAIL_FROM })).toBeNull();
});

test("each of EARLIER_SECRETS is checked as SESSION_SECRET is, and there are at most five", () => {
  const earlier = (count: number) => Array.from({ length: count }, (_, n) => `secret ${n} of before that has 32 bytes`);
  for (const EARLIER_SECRETS of ["", " ", earlier(1).join(), earlier(5).join(", "), `${earlier(2).join()},`])
    expect([EARLIER_SECRETS, settingsProblem({ SESSION_SECRET, EARLIER_SECRETS })]).toEqual([EARLIER_SECRETS, null]);
  for (const EARLIER_SECRETS of ["tiny", `${earlier(1)}, tiny`, "ab".repeat(20), earlier(6).join()]) {
    const problem = settingsProblem({ SESSION_SECRET, EARLIER_SECRETS });
    expect([EARLIER_SECRETS, problem]).toEqual([EARLIER_SECRETS, expect.stringContaining("EARLIER_SECRETS")]);
    expect(problem).not.toContain(EARLIER_SECRETS);
  }
});

test("TRUST_PROXY is `1` or empty", () => {
  expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY: "1" })).toBeNull();
  for (const TRUST_PROXY of ["0", "false", "true", "yes", " 1"]) {
    expect(settingsProblem({ SESSION_SECRET, TRUST_PROXY })).toContain(`TRUST_PROXY must be 1`);
  }
});

test("PUBLIC_ORIGIN is a scheme and a host", () => {
  expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: "https://hours.example.com/" })).toBeNull();
  for (const PUBLIC_ORIGIN of ["hours.example.com", "https://hours.example.com/app", "ftp://hours.example.com"]) {
    expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN })).toContain("PUBLIC_ORIGIN must be scheme and host");
  }
  for (const path of ["app", "app/", "a/b", "app?x"]) {
    expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: `https://hours.example.com/${path}` })).toContain(
      "the app cannot be below a path, so give it a host of its own",
    );
  }
});

// Catches a setting that only looks like a URL: the app would start and fail at each request.
test("PUBLIC_ORIGIN is refused if it has more than scheme, host and port, or is no URL", () => {
  expect(settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: "http://Hours.example.com:8787" })).toBeNull();
  for (const rest of [
    "a b",
    "[",
    "hours.example.com:99999",
    "hours.example.com?a",
    "hours.example.com#a",
    "me@h",
    "a\n",
    "a.example,https://b.example",
    "a.example,b.example",
    "a.example;b.example",
    "*.example.com",
    "hours.example.com:",
  ]) {
    const problem = settingsProblem({ SESSION_SECRET, PUBLIC_ORIGIN: `https://${rest}` });
    expect([rest, problem]).toEqual([rest, expect.stringContaining("PUBLIC_ORIGIN must be scheme and host")]);
  }
});

test("DATABASE_LIMIT is a whole number of bytes, or empty", () => {
  for (const DATABASE_LIMIT of ["", "100000", "10000000000", "999999999999999"]) {
    expect([DATABASE_LIMIT, settingsProblem({ SESSION_SECRET, DATABASE_LIMIT })]).toEqual([DATABASE_LIMIT, null]);
  }
  for (const DATABASE_LIMIT of ["0", "-1", "10", "10000", "1.5", "10 GB", "1e10", "1000000000000000", " "]) {
    const problem = settingsProblem({ SESSION_SECRET, DATABASE_LIMIT });
    expect([DATABASE_LIMIT, problem]).toEqual([
      DATABASE_LIMIT,
      expect.stringContaining("DATABASE_LIMIT must be a whole number"),
    ]);
  }
});
