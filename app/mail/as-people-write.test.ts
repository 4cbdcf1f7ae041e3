import { expect, test } from "vitest";
import { asTyped, certificationText } from "#app/records/evidence.ts";
import { requestEmail } from "#app/supervisor-mail/request.server.ts";
import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import { renderText } from "./email.ts";
import { plainName, withoutLinks } from "./typed-text.ts";

/* Names, places and certificate numbers as people write them, in emails and on forms. */

const asWritten = (name: string) => [name, plainName(name)?.replace(/ +/g, " ")];

test("an email has a name of words as it is written, and none that a mail program makes a link of", () => {
  expect(["Anna Berg", "Dr. J. Smith"].map(asWritten)).toEqual([
    ["Anna Berg", "Anna Berg"],
    ["Dr. J. Smith", "Dr. J. Smith"],
  ]);
  expect(["evil.com", "www evil", "A technician at evil.example"].map(plainName)).toEqual([null, null, null]);
});

test.each([
  ["J.P. van Dijk"],
  ["K.V.S. Rao"],
  ["Dr.-Ing. Jürgen Bär"],
  ["van ’t Hof"],
  ["A/L Kumar"],
  ["O´Neil"],
  ["Anna  Berg"],
  ["Li (Level III)"],
])("%s is a name, so an email to a supervisor says it", (name) => {
  expect(asWritten(name)).toEqual([name, name.replace(/ +/g, " ")]);
});

test("an email has text without a dot between letters as it is written, and an address in it is no link", () => {
  expect(withoutLinks("Hall 3, 12 mm. Rev. 2")).toBe("Hall 3, 12 mm. Rev. 2");
  expect(withoutLinks("www.evil.example evil.com")).toBe("www[.]evil[.]example evil[.]com");
});

test.each([["St.Petersburg"], ["hal 3.B"], ["12.5mm"], ["J.P. van Dijk"]])(
  "%s is no address, so an email has it as it is written",
  (text) => {
    expect(withoutLinks(text)).toBe(text);
  },
);

/** The name and the place in the email about a request of this technician: in its subject, and below *Technician*. */
function emailAbout(name: string, location = "Mongstad") {
  const record = { id: 1, date: "2026-11-02", location, method: "UT", hours: 8, verifiedBy: null, verifiedAt: null };
  const email = requestEmail({
    owner: { name, email: "kari@example.com", employeeNumber: null },
    records: [{ kind: "entry", user: { name, employeeNumber: null }, record: record as never }], // of an entry only these
    supervisor: { name: "Ola Hansen", email: "ola@example.com" },
    url: "https://hours.example.com/verify/1",
    answerBy: "2026-12-02",
    isReminder: false,
  });
  const factOf = (term: string) => renderText(email).match(new RegExp(`^${term}: +(.*)$`, "mu"))?.[1];
  return {
    subject: email.subject.replace(/ asks you to verify .*/, ""),
    name: factOf("Technician")?.replace(/ \(kari@example\.com\)$/, ""),
    place: factOf("Job Location"),
  };
}

const AS_WRITTEN = [
  // Initials
  ...["A. B. Smith", "A.B. Smith", "J.R.R. Tolkien", "P.J. O'Rourke", "M. A. Khan", "S.P.B. Kumar", "R. Muthu"],
  ...["Th. Müller", "Chr. Olsen", "J.-P. Dubois", "J-P Dubois", "C.-H. Lee", "A.N.Other", "Anna.Berg", "J.Smith"],
  // Particles
  ...["Piet van der Berg", "Jan van ’t Hoff", "’t Hart", "'s-Gravenmade", "Ana de la Cruz", "Sean Ó Briain"],
  ...["Omar bin Abdullah", "Al-Rashid", "Karl von und zu Stein", "João e Silva", "D’Angelo", "d'Arc"],
  // Titles and suffixes
  ...[
    "John Smith Jr.",
    "John Smith, Sr.",
    "Robert Hall III",
    "Smith,Jr.",
    "Ann Lee, PhD",
    "Ann Lee Ph.D.",
    "Henry 2nd",
  ],
  ...[
    "Per Olsen (Level II)",
    "Dipl.-Ing. Weiß",
    "Prof. Dr. Braun",
    "Ir. Jansen",
    "Raj S/O Kumar",
    "A/P Devi",
    "Anna & Ole",
  ],
  ...['Bjørn "Bear" Hansen', "Bjørn “Bear” Hansen", "Müller–Lüdenscheidt", "Hansen, Ola"],
  // Aliases, degrees and levels
  ...[
    "Raj @ Kumar",
    "Tan Ah Kow @ Peter",
    "م/ أحمد علي",
    "মো: রহিম",
    "J Smith BEng(Hons)",
    "Anna Berg L2",
    "Anna Berg PCN 2",
  ],
  // Apostrophes
  ...["O'Neil", "O’Neil", "O‘Neil", "O´Neil", "O`Neil", "Oʼneil", "O′Neil", "Igor'", "Marcus’"],
  // Other scripts, with their joiners and marks
  ...["محمد عبد الله", "علی\u200cرضا احمدی", "عبد الرحمٰن", "สมชาย ดำรงค์", "นางสาว สมหญิง จำปา", "น.ส. สมหญิง"],
  ...["李小龙", "山田 太郎", "ジョン・スミス", "阿卜杜勒·热合曼", "김철수", "अमित कुमार", "ක්\u200dරිෂාන්", "தமிழ் செல்வன்"],
  ...["נועה ג׳ורג׳", "Արմեն Պետրոսյան", "გიორგი ბერიძე", "Владимир Ильич", "Ξένια Παπά", "Nguyễn Thị Ánh"],
  ...["Gal·la Puig", "Mª José", "Ĳsbrand Bos", "Łucja Żółć", "Zoe\u0301"],
  // 60 characters
  "Warnakulasuriya Patabendige Ushantha Joseph Chaminda Vaas Jr",
  // Words of marks: an email has no marks
  ...["Mailbox", "confirmed by"],
];

test("an email says the names of people in its subject and its text as they write them", () => {
  expect(AS_WRITTEN.map((name) => emailAbout(name))).toEqual(
    AS_WRITTEN.map((name) => ({ subject: name.normalize("NFC"), name, place: "Mongstad" })),
  );
});

const A = "A technician";

test.each([
  ["Anna  Berg", "Anna Berg", "Anna  Berg"],
  ["J.de Boer", "J. de Boer", "J. de Boer"],
  ["H.J.de Boer", "H.J. de Boer", "H.J. de Boer"],
  ["A.Ng", "A. Ng", "A. Ng"],
  ["Ann Lee, M.Sc.", "Ann Lee, M. Sc.", "Ann Lee, M. Sc."],
  ["Dr.med. Braun", "Dr. med. Braun", "Dr. med. Braun"],
  ["Dipl.Ing. Hans Maier", "Dipl. Ing. Hans Maier", "Dipl. Ing. Hans Maier"],
  ["محمد\u200f", "محمد", "محمد\u200f"],
  ["\u200eKari", "Kari", "\u200eKari"],
  ["Anna 🦊", A, "Anna 🦊"],
  ["evil.com", A, "evil[.]com"],
  ["EVIL.COM", A, "EVIL[.]COM"],
  ["www.evil", A, "www[.]evil"],
  ["Anna evil.co.uk", A, "Anna evil[.]co[.]uk"],
  ["Anna (evil.com)", A, "Anna (evil[.]com)"],
  ["evil.рф", A, "evil[.]рф"],
  ["evil.xn--p1ai", A, "evil[.]xn--p1ai"],
  ["evil。com", A, "evil[.]com"],
  ["e.vil\u200b.com", A, "e[.]vil\u200b[.]com"],
  ["ada@firm.example", A, "ada@firm[.]example"],
  ["https://evil", A, "https[:]//evil"],
  ["bit.ly/x", A, "bit[.]ly/x"],
  ["confirmed by equinor.com", A, "confirmed by equinor[.]com"],
  ["О\u006ca Hansen", A, "О\u006ca Hansen"],
  ["x".repeat(61), A, "x".repeat(61)],
])("the email writes the name %j as %j in its subject and as %j in its text", (typed, subject, name) => {
  expect(emailAbout(typed)).toEqual({ subject, name, place: "Mongstad" });
});

const PLACES = [
  ...[
    "St.Petersburg",
    "St. Petersburg",
    "hal 3.B",
    "Hall 3.B, bay 2",
    "Bldg.12",
    "Ft.Worth",
    "Mt.Blanc tunnel",
    "12.5mm",
  ],
  ...[
    "Rev.B",
    "DN 150, t=12.5mm",
    "v2.4.1",
    "No.5",
    "Tank T-1.04",
    "Hall:3",
    "Deck 2/3",
    "ø 1.1/2 in",
    "г. Самара",
    "ул.Ленина 5",
  ],
  ...[
    "検査完了。合格",
    "場所：東京",
    "Brønnøysund 🛢️",
    "بئر ٣",
    "Ratio 1:2",
    "07:30-15:45",
    "P&ID 3.A.2",
    "c/o Fjord A.S",
    "K.o.-Zelle",
    "flaw 2@3.5m",
  ],
];

test("an email says places as people write them", () => {
  expect(PLACES.map((place) => emailAbout("Kari", place).place)).toEqual(PLACES);
});

test.each([
  ["fjord.com, hall 2", "fjord[.]com, hall 2"],
  ["see www.fjord.example", "see www[.]fjord[.]example"],
  ["Done.No defects", "Done[.]No defects"],
])("in the place %j an email has no link: %j", (place, shown) => {
  expect(emailAbout("Kari", place).place).toBe(shown);
});

test("on a form only a domain or a word of a mark puts typed text in quotation marks", () => {
  const plain = [...AS_WRITTEN, ...PLACES].filter((text) => !/mailbox|confirmed/i.test(text));
  expect(plain.map(asTyped)).toEqual(plain);
  const claims = [
    "equinor.com",
    "Per, Mailbox",
    "MAIL\u200bBOX",
    "М\u0430ilbox",
    "confirmed",
    "Verified by link",
    "ola@firm.com",
  ];
  expect(claims.map(asTyped)).toEqual(claims.map((text) => `“${text}”`));
  expect(["Abby Link", "equin\u043er.com”, “x"].map(asTyped)).toEqual(["Abby Link", "“equin\u043er.com', 'x”"]);
});

/** The secrets of the mailed links of 300 requests. */
const secrets = Array.from({ length: 300 }, (_, n) =>
  String(mailboxSecret("a secret", { token: `token ${n}`, nonce: "nonce", supervisorEmail: "ola@example.org" })),
);

test("the secret of a mailed link has 22 characters of base64url", () => {
  expect(secrets.filter((m) => !/^[\w-]{22,}$/.test(m))).toEqual([]);
});

test("the secret of a mailed link ends in a letter or a digit, because a mail program leaves a hyphen out of the link", () => {
  expect(secrets.filter((m) => !/[A-Za-z\d]$/.test(m))).toEqual([]);
});

test("a supervisor's certificate is said with its scheme, level and number", () => {
  const text = certificationText({ scheme: "PCN", level: "Level III", number: "12345" });
  for (const part of ["PCN", "Level III", "12345"]) expect(text).toContain(part);
});

test.each([
  ["a domain", "equinor.com"],
  ["the words of a confirmation", "confirmed by equinor.com on 27 Nov 2026"],
  ["the word of a mark", "Mailbox"],
])("a certificate number with %s is labelled as stated, in quotation marks", (_what, number) => {
  const text = certificationText({ scheme: "PCN", level: "Level III", number });
  expect(text).toMatch(/^Stated certificate: /);
  expect(text).toContain(`“${number}”`);
});
