import { exportHours, type ShownCheck, verifyByMailbox } from "./exports.ts";
import { textOf } from "./html.ts";
import type { MailApp } from "./mail.ts";

/** Exports, and what anyone sees who checks their codes. */
export function checksOf(app: MailApp) {
  const check = async (code: string) => (await app.get(`/api/check/${code}`)).json<ShownCheck>();
  return {
    check,
    states: async (code: string) => (await check(code)).records.map(({ state }) => state),
    pageOf: async (code: string) => textOf((await app.get(`/c/${code}`)).text),

    /** An export of two entries: the first, of `id`, was verified by mailbox, the second by link. */
    async exported() {
      const kari = await app.register({ name: "Kari Nordmann", employeeNumber: "NDT-7" });
      const { id } = await kari.addEntry({ date: "2026-11-01", location: "Mongstad", method: "ET", hours: 7.25 });
      const { email, disownPath } = await verifyByMailbox(app, kari, id);
      await kari.addVerifiedEntry({ date: "2026-11-02", location: "Kårstø", method: "UT_THK", hours: 4 });
      const { code, madeAt } = await exportHours(kari);
      return { kari, id, email, disownPath, code, madeAt };
    },
  };
}
