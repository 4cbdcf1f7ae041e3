/*
 * A statement contains the code of its export. The database has only the code's hash, because anyone who reads the code
 * there could make the seal of an altered export. So a statement is stored without the code, and a check or an export,
 * which has the code, puts it in again.
 */

/** What stands for the code, and for the code without hyphens. JSON never contains these characters unescaped. */
const [CODE, PLAIN_CODE] = ["\u0001", "\u0002"];

/** A statement without the code in its payload. */
export function withoutCode(statement: string, code: string): string {
  return mapPayload(statement, (json) => json.replaceAll(code, CODE).replaceAll(plain(code), PLAIN_CODE));
}

/** The statement that `withoutCode` made a text of. */
export function withCode(stored: string, code: string): string {
  return mapPayload(stored, (json) => json.replaceAll(CODE, code).replaceAll(PLAIN_CODE, plain(code)));
}

function mapPayload(statement: string, map: (json: string) => string): string {
  const [header = "", payload = "", ...rest] = statement.split(".");
  const json = map(Buffer.from(payload, "base64url").toString());
  return [header, Buffer.from(json).toString("base64url"), ...rest].join(".");
}

const plain = (code: string) => code.replaceAll("-", "");
