import { daysBetween, formatDate } from "#app/calendar-date.ts";
import { type Certificate, SOON_DAYS } from "./certificate.kind.ts";

/** The validity of a certificate today, as a class of its mark and in words. */
export interface Validity {
  group: "soon" | "valid" | "later" | "examination" | "ended" | "deleted";
  mark: "ends" | "over" | "done" | "pending" | null;
  text: string;
}

/** Whether a certificate is valid on a day, and for how long. Green is only what a supervisor has verified. */
export function validityOf(record: Certificate, today: string): Validity {
  const { category, issuedOn, expiresOn, revokedOn, verified, status } = record;
  if (status === "deleted") return { group: "deleted", mark: null, text: "" };
  if (revokedOn !== null && revokedOn <= today)
    return { group: "ended", mark: "over", text: `Revoked ${formatDate(revokedOn)}` };
  if (issuedOn > today && category !== "examination")
    return { group: "later", mark: "pending", text: `Valid from ${formatDate(issuedOn)}` };
  const left = expiresOn === null ? null : daysBetween(today, expiresOn);
  if (left !== null && left < 0) {
    return { group: "ended", mark: "over", text: left === -1 ? "Expired yesterday" : `Expired ${-left} days ago` };
  }
  if (left !== null && left <= SOON_DAYS) {
    const when = left === 0 ? "today" : left === 1 ? "tomorrow" : `in ${left} days`;
    return { group: "soon", mark: "ends", text: `Expires ${when}` };
  }
  if (category === "examination") return { group: "examination", mark: null, text: "" };
  return { group: "valid", mark: verified ? "done" : "pending", text: "Valid" };
}
