import { CHECKPOINT_NOTE, checkpointLine, type Email, SIGNED, UNSUBSCRIBE } from "./email.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Escapes text for HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/*
 * Mail clients support old HTML: tables for layout, and styles in attributes, because some remove the style sheet. The
 * sheet holds the dark colours; a client that removes it inverts the light ones by itself.
 */

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const INK = "color:#12181c";
const SOFT = "color:#454d53";

const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#0e1316!important}.panel{background:#161d21!important;border-color:#293338!important}
.ink{color:#eeede5!important}.soft{color:#abb4b8!important}.line{border-color:#293338!important}
.act{background:#a6bcff!important;border-color:#a6bcff!important;color:#0a1536!important}}`;

/** The email as HTML. All typed text is escaped, and no resource is loaded. */
export function renderHtml({
  subject,
  greeting,
  lead,
  facts,
  sums,
  button,
  links = [],
  notes,
  checkpoint,
  unsubscribeUrl,
}: Email): string {
  // A value is beside its term where it fits, else below it: a phone has no room for two columns.
  const beside = "display:inline-block;vertical-align:top";
  const rows = facts.map(
    ([term, value]) =>
      '<tr><td class="line" style="padding:8px 0;border-top:1px solid #d9d6ca">' +
      `<div class="soft" style="${beside};min-width:112px;padding-right:12px;${SOFT}">${escapeHtml(term)}</div> ` +
      `<div class="ink" style="${beside};font-weight:600;${INK}">${escapeHtml(value).replaceAll("\n", "<br>")}</div></td></tr>`,
  );
  const cell = (text: string, column: number, style = "") =>
    `<td class="ink line" align="${column === 0 ? "left" : "right"}" style="padding:8px 0${column === 0 ? "" : " 8px 12px"};border-top:1px solid #d9d6ca;white-space:nowrap;${INK};${style}">${escapeHtml(text)}</td>`;
  const row = (cells: string[], style?: string) =>
    `<tr>${cells.map((text, column) => cell(text, column, style)).join("")}</tr>`;
  const table = sums
    ? `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-size:16px;line-height:1.5;font-variant-numeric:tabular-nums">${row(sums.head, "font-size:14px")}${sums.rows.map((cells) => row(cells)).join("")}${row(sums.total, "font-weight:600")}</table>`
    : "";
  const paragraph = (text: string, style = "") =>
    `<p class="ink" style="margin:0 0 16px;${INK};${style}">${escapeHtml(text)}</p>`;
  const url = escapeHtml(button.url);
  const link = ({ label, url }: Email["button"]) =>
    `<a class="ink" href="${escapeHtml(url)}" style="${INK}">${escapeHtml(label)}</a>`;
  const more = links.map((one) => `<p class="ink" style="margin:16px 0 0;${INK}">${link(one)}</p>`);
  const stop = unsubscribeUrl
    ? [`<p style="margin:0;font-size:14px">${link({ label: UNSUBSCRIBE, url: unsubscribeUrl })}</p>`]
    : [];
  const quiet = (text: string, style = "") =>
    `<p class="soft" style="margin:0 0 12px;font-size:14px;${SOFT}${style}">${escapeHtml(text)}</p>`;
  const kept = checkpoint ? [quiet(CHECKPOINT_NOTE), quiet(checkpointLine(checkpoint), ";word-break:break-all")] : [];
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${SHEET}</style></head>
<body class="paper" style="margin:0;padding:0;background:#f3f2ec">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f2ec"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;${FONT};font-size:16px;line-height:1.5;word-break:break-word">
<tr><td class="soft" style="padding:0 0 12px;font-weight:600;${SOFT}">${SIGNED}</td></tr>
<tr><td class="panel" style="padding:24px 20px;background:#fdfcf8;border:1px solid #d9d6ca;border-radius:4px">
${paragraph(greeting)}
${paragraph(lead, "font-size:18px")}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-size:16px;line-height:1.5">${rows.join("")}</table>
${table}<a class="act" href="${url}" style="display:inline-block;padding:12px 24px;background:#1b3fa8;border:1px solid #1b3fa8;border-radius:4px;color:#ffffff;font-weight:600;text-align:center;text-decoration:none">${escapeHtml(button.label)}</a>
<p class="soft" style="margin:16px 0 0;font-size:14px;${SOFT}">If the button does not work, open this address:<br><span style="word-break:break-all">${url}</span></p>
${more.join("\n")}
</td></tr>
<tr><td style="padding:16px 0 0">${notes.map((note) => quiet(note)).join("\n")}${[...kept, ...stop].join("")}</td></tr>
</table></td></tr></table></body></html>
`;
}
