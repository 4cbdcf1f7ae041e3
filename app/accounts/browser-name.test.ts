import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const MOZILLA = "Mozilla/5.0";
const KHTML = "AppleWebKit/537.36 (KHTML, like Gecko)";

// The order of the list matters: nearly every browser also calls itself Safari, Chrome and Linux or Mac OS X.
test.each([
  [`${MOZILLA} (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0`, "Firefox on Android"],
  [`${MOZILLA} (Linux; Android 10; K) ${KHTML} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [
    `${MOZILLA} (Linux; Android 10; K) ${KHTML} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
    "Chrome on iPhone",
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
    "Safari on Mac",
  ],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
  [`${MOZILLA} (X11; Linux x86_64) ${KHTML} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`, "Opera on Linux"],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/140.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
])("%s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test("an unknown client is named after its first product token, and an empty User-Agent has no name", () => {
  expect(browserName("curl/8.9.1")).toBe("curl");
  expect(browserName("python-requests/2.32")).toBe("python-requests");
  for (const nothing of [null, "", "<script>", " "]) expect(browserName(nothing)).toBeNull();
});
