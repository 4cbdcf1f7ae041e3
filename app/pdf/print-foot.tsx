import type { QrPath } from "#app/ui/qr-path.server.ts";
import type { Form } from "./form.ts";
import { checkAt, legendOf, NO_CODE, pageOf, remarksOf } from "./form-words.ts";
import { MODULE } from "./paper.ts";
import type { Sheet } from "./sheets.ts";

/** The foot of a sheet: which page of which form it is, what its marks mean, and where it is checked. */
export function PrintFoot({ form, sheet, pages }: { form: Form; sheet: Sheet; pages: number }) {
  const { proof } = form;
  return (
    <footer className="foot">
      <p className="page-number">
        {form.code && <b>{form.code}</b>} <span>{pageOf(sheet.number, pages)}</span>
      </p>
      <ul className="legend">
        {legendOf(form).map(({ mark, text }) => (
          <li key={text}>
            <i className={mark ? `${mark} via` : "tick"} />
            {text}
          </li>
        ))}
        {remarksOf(form, sheet.isLast).map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
      {proof ? (
        <div className="check">
          <p>
            {checkAt(proof)} <b className="code">{proof.code}</b>
          </p>
          <Qr id="check-qr" qr={proof.qr} module={MODULE} label="QR code: check this form" />
        </div>
      ) : (
        <p className="no-code">{NO_CODE}</p>
      )}
    </footer>
  );
}

/** The drawing of a QR code, once for all sheets. */
export function QrSymbol({ id, qr: { size, path } }: { id: string; qr: QrPath }) {
  return (
    <svg width="0" height="0" className="symbol" aria-hidden="true">
      <symbol id={id} viewBox={`0 0 ${size} ${size}`}>
        <path d={path} stroke="#000" />
      </symbol>
    </svg>
  );
}

interface QrProps {
  /** Of its drawing. */
  id: string;
  qr: QrPath;
  /** The side of a module, in millimetres. */
  module: number;
  label: string;
}

/** A QR code with the white around it. */
export function Qr({ id, qr, module, label }: QrProps) {
  const side = `${(qr.size * module).toFixed(2)}mm`;
  return (
    <svg className="qr" width={side} height={side} role="img" aria-label={label}>
      <use href={`#${id}`} />
    </svg>
  );
}
