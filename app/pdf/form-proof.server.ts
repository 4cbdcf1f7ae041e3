import type { KeptCheckpoint } from "#app/audit-log/grow-tree.server.ts";
import { type QrPath, qrPath } from "#app/ui/qr-path.server.ts";

/** The code and statement by which anyone can check a form. */
export interface FormProof {
  /** As it is printed: `ABCD-EFGH-JKMN-PQRS-T`. */
  code: string;
  /** The address of the check page of this form, and the content of its QR code. */
  url: string;
  /** The signed statement, a compact JWS. Null without a signing key. */
  statement: string | null;
  /** The last checkpoint of the audit log. */
  checkpoint: KeptCheckpoint | null;
  qr: QrPath;
  statementQr: QrPath | null;
}

/** The proof of an export, with its QR codes. @param code as it is printed, with dashes */
export function formProof({ code, url, statement, checkpoint }: Omit<FormProof, "qr" | "statementQr">): FormProof {
  const statementQr = statement === null ? null : qrPath(statement);
  return { code, url, statement, checkpoint, qr: qrPath(url), statementQr };
}
