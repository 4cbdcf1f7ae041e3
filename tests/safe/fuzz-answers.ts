import { XLSX_TYPE } from "#app/server/stream.server.ts";
import type { Answer } from "#tests/worker/client.ts";
import { ANYTHING, type Sent } from "./fuzz-send.ts";
import { isValidRequest } from "./validity.ts";

/** Text that no answer may show: positions in the code, and the words of the libraries below. */
const INSIDE = /\n\s+at |node_modules|D1_ERROR|SQLITE_|Failed query|\[object Object\]|ZodError|is not a function/;

/** The calls, to which the list of public keys belongs, and those that answer with a file. */
const API = /^\/(api(\/|$)|\.well-known\/jwks\.json\/?$)/i;
const TABLE = /^\/api\/(admin\/)?(export|progress)\.(csv|xlsx)\/?$/i;

/** Returns what is wrong with an answer; null if nothing is. */
export function mistakeIn(answer: Answer, { method, path, means }: Sent): string | null {
  const { status, text, headers } = answer;
  if (status >= 500) return `it is ${status}: ${text.slice(0, 300)}`;
  if (INSIDE.test(text)) return `it shows ${INSIDE.exec(text)?.[0]}`;
  const { pathname, search } = new URL(path, "http://localhost"); // as it is sent: `/api/..` is not an API call
  const isApi = API.test(pathname);
  const type = headers.get("Content-Type") ?? "";
  if (isApi && method === "GET" && status === 304) return text === "" ? null : "an answer that is known has a body";
  if (isApi && method !== "HEAD") {
    const [, , , file] = (status === 200 && TABLE.exec(pathname)) || [];
    if (file) return type.startsWith(/csv/i.test(file) ? "text/csv" : XLSX_TYPE) ? null : `a ${file} file is ${type}`;
    if (!type.startsWith("application/json")) return `a call answers ${type}`;
    if (status >= 400 && !/\S/.test(answer.json<{ message?: string }>().message ?? ""))
      return "a refusal without words";
  }
  // The checkpoint is a signed note.
  if (pathname === "/checkpoint" && status === 200 && type.startsWith("text/plain")) return null;
  if (!isApi && method !== "HEAD" && ![301, 302, 303].includes(status) && !type.startsWith("text/html")) {
    return `a page answers ${status} ${type}`;
  }
  const isDone = (isApi && status < 300) || (status === 303 && !/^\/(auth|verify\/)/.test(answer.location ?? ""));
  const request = `${method} ${pathname}${search === "?tab=register" ? search : ""}`;
  if (isDone && means !== ANYTHING && method !== "GET" && !isValidRequest(request, means))
    return `it accepted what the rules forbid (${status})`;
  return null;
}
