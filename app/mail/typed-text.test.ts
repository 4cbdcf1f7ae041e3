import { expect, test } from "vitest";
import { plainName, withoutLinks } from "./typed-text.ts";

test("names in many languages are allowed in a subject", () => {
  for (const name of [
    "Ada",
    "Ola Hansen",
    "Łódź Żółć",
    "Piet van der Berg",
    "O'Brien",
    "D’Arcy Ní Bhriain",
    "Jean-Luc",
    "Dr. J. R. Smith Jr.",
    "Hansen, Ola",
    "Владимир Ильич",
    "李小龙",
    "محمد علي",
    "अमित कुमार",
    "Nguyễn Văn A",
    "김철수",
    "Zoe\u0308",
  ]) {
    expect([name, plainName(name)]).toEqual([name, name.normalize("NFC")]);
  }
});

// Seen: a name with one Cyrillic letter in the subject of an email, where it passes for another person's.
test("a word that mixes scripts whose letters look alike is left out of subjects", () => {
  for (const name of ["Ola Hans\u0435n", "\u041ela Hansen", "\u0391nna Berg", "B\u0435rg-Hansen"]) {
    expect([name, plainName(name)]).toEqual([name, null]);
  }
  expect(plainName("Anna Петрова")).toBe("Anna Петрова");
});

test("text that could be a link, even a disguised one, or is too long, is left out of subjects", () => {
  for (const name of [
    null,
    "",
    " Ada",
    "Ada ",
    "Your parcel is waiting http://evil.example",
    "https evil example",
    "HTTP evil",
    "hxxp evil",
    "www evil",
    "evil.com",
    "evil.com.",
    "j.de",
    "Anna.Li",
    "evil。com",
    "evil．com",
    "evil｡com",
    "evil․com",
    "evil com/x",
    "ada@example.com",
    "ada＠example.com",
    "ｅｖｉｌ com",
    "𝓮𝓿𝓲𝓵 com",
    "ev\u200bil",
    "ev\u00adil",
    "\u202eliv\u202c",
    "Ada\nBcc: x",
    "Ada\r\nX",
    "Ada\tB",
    "Ada\u2028B",
    "Call 0900 123",
    "bit:ly",
    "Ada \u{1F381}",
    "x".repeat(61),
    "<b>Ada</b>",
  ]) {
    expect([name, plainName(name)]).toEqual([name, null]);
  }
});

test("the check takes linear time on the longest and most awkward name", () => {
  // Processor time, so that other work on the machine does not count.
  const begin = process.cpuUsage();
  for (const part of ["a", "a'", "a ", "a. ", "a,", "e\u0301", "'"]) {
    for (const end of ["", "!", "."]) plainName(part.repeat(100).slice(0, 49) + end);
  }
  expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(5_000);
});

test("no mail client turns typed text into a link, and every character of it stays readable", () => {
  for (const [text, shown] of [
    ["Mongstad", "Mongstad"],
    ["7.5 hours, 1.2.2026. Then more", "7.5 hours, 1.2.2026. Then more"],
    ["Rescue: level 1/2", "Rescue: level 1/2"],
    ["Rigging. Rescue... and climbing", "Rigging. Rescue... and climbing"],
    ["http://evil.example/a.b?c", "http[:]//evil[.]example/a[.]b?c"],
    ["www.evil.com", "www[.]evil[.]com"],
    ["evil.com", "evil[.]com"],
    ["3m.1password.com", "3m[.]1password[.]com"],
    ["ola@example.org", "ola@example[.]org"],
    ["evil。com evil．com evil｡com", "evil[.]com evil[.]com evil[.]com"],
    ["http：／／evil", "http[:]／／evil"],
    ["evil.\u200bcom http:\u200b//x", "evil[.]\u200bcom http[:]\u200b//x"],
    ["evil..com", "evil[.]com"],
    ["bücher.example xn--a.xn--b", "bücher[.]example xn--a[.]xn--b"],
    // Seen to fail from here on: numbers as hosts, and schemes without slashes.
    ["1.2.3.4 .1.2.3.4.5", "1[.]2[.]3[.]4 .1[.]2[.]3[.]4[.]5"],
    ["see 198.51.100.7:8080/x.", "see 198[.]51[.]100[.]7:8080/x."],
    ["0177.0.0.01 ola@1.2.3.4", "0177[.]0[.]0[.]01 ola@1[.]2[.]3[.]4"],
    ["１．２．３．４ ١.٢.٣.٤", "１[.]２[.]３[.]４ ١[.]٢[.]٣[.]٤"],
    ["1.\u200b2.3\u2060.4", "1[.]\u200b2[.]3\u2060[.]4"],
    ["http://1.2.3.4/x", "http[:]//1[.]2[.]3[.]4/x"],
    ["http://[::1]/ [2001:DB8::1]", "http[:]//[[:][:]1]/ [2001[:]DB8[:][:]1]"],
    ["[::ffff:1.2.3.4] ［fe80：：1％eth0］", "[[:][:]ffff[:]1[.]2[.]3[.]4] ［fe80[:][:]1％eth0］"],
    ["mailto:evil@example", "mailto[:]evil@example"],
    ["MAILTO : a@b, mailto: a@b", "MAILTO [:] a@b, mailto[:] a@b"],
    ["tel:+4790012345 Tel: 900 12 345", "tel[:]+4790012345 Tel[:] 900 12 345"],
    ["sms:+4790012345?body=x smsto:1", "sms[:]+4790012345?body=x smsto[:]1"],
    ["javascript:alert(1) facetime:x geo:1,2", "javascript[:]alert(1) facetime[:]x geo[:]1,2"],
    // Seen: colons in words of people, in which no mail program sees a link.
    ["Hall:3 Rev:B 場所：東京 Hotel:4", "Hall:3 Rev:B 場所：東京 Hotel:4"],
    ["ｍａｉｌｔｏ：a tel\u200b:1", "ｍａｉｌｔｏ[:]a tel\u200b[:]1"],
    ["http:evil", "http[:]evil"],
    // No mail client links these: times, dates, versions, a label before a space.
    ["07:30 to 15:45, ratio 1:2, 1.2.2026, v 2.4.1", "07:30 to 15:45, ratio 1:2, 1.2.2026, v 2.4.1"],
    ["Skills: rescue. [see note: 2] Hotel: Ibis", "Skills: rescue. [see note: 2] Hotel: Ibis"],
  ] as const) {
    expect([text, withoutLinks(text)]).toEqual([text, shown]);
  }
});

test("breaking up links takes linear time on the longest and most awkward text", () => {
  const begin = process.cpuUsage();
  for (const part of ["1.", "a:", "[:", ":", "[::", "a.", "\u200b", "1.\u200b", "tel ", "mailto ", ": ", "é"])
    for (const end of ["", "!", "]", ":x"]) withoutLinks(part.repeat(1_000) + end);
  expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(1_000);
});
