import { savesData } from "#app/client/save-data.client.ts";
import type { FormName } from "#app/db/enumerations.ts";
import { allLeftOut, nothingVerified, refused } from "#app/pdf/forms.ts";
import type { Toast } from "#app/server/flash.ts";
import type { Form } from "./form.ts";
import type { Choice } from "./forms.ts";
import { FORMS } from "./forms.ts";
import type { Report } from "./pdf-worker.client.tsx";
import builder from "./pdf-worker.client.tsx?worker&url";

/** The most bytes of a user's name, so that the file name stays under 255 bytes in any script. */
const NAME_BYTES = 120;

/** Windows' reserved characters, path separators, and invisible or direction-changing characters. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/**
 * The name of an exported form (spec section 9): `OJT_Log_{name or User}_{YYYY-MM-DD}.pdf`, safe on every system. Those of
 * the other forms begin otherwise.
 * @param today the technician's calendar date, `YYYY-MM-DD`
 */
export function fileName(form: FormName, name: string | null, today: string): string {
  return `${FORMS[form].file}_${safe(name ?? "") || "User"}_${today}.pdf`;
}

/** Keeps the letters of every script, and spaces inside. */
function safe(name: string): string {
  const words = name.normalize("NFC").replace(UNSAFE, " ").replace(/\s+/g, " ");
  return trim(atMost(NAME_BYTES, trim(words)));
}

function trim(text: string): string {
  return text.replace(/^[ .]+|[ .]+$/g, "");
}

/** The start of the text that fits into this many bytes of UTF-8, without cutting a character. */
function atMost(bytes: number, text: string): string {
  const encoder = new TextEncoder();
  let kept = "";
  for (const character of text) {
    if (encoder.encode(kept + character).length > bytes) break;
    kept += character;
  }
  return kept;
}

type OnPage = (page: number, pages: number) => void;

/** The outcome of an export: a file without a code where the server could not make one, or no file, and why. */
export type SavedPdf = "coded" | "uncoded" | Toast;

/**
 * Makes a form of verified records and saves it as a file.
 * @param name of the user, for the file's name
 * @throws if the records cannot be loaded or the PDF cannot be made
 */
export async function savePdf(choice: Choice, name: string | null, onPage: OnPage): Promise<SavedPdf> {
  const made = await formWithCode(choice);
  if (made && "kind" in made) return made;
  const form = made ?? (await (await import("./form-without-code.client.ts")).formWithoutCode(choice));
  if (form.rows.length === 0) return form.explained[0] ? allLeftOut(form.explained[0]) : nothingVerified(choice);
  save(await makePdf(form, onPage), fileName(form.name, name, form.day));
  return form.proof ? "coded" : "uncoded";
}

/** The answers for which no form can be made without the server either. */
const REFUSALS = [400, 404];

/** The form of a new export; why there is none; or null if the server makes none for a reason that is not in the choice. */
async function formWithCode(choice: Choice): Promise<Form | Toast | null> {
  const key = crypto.randomUUID();
  // An answer may be lost on the way. Sent again with the same key, the call returns the same export.
  const response = await post(choice, key).catch(() => post(choice, key).catch(() => null));
  // The call's own answer, or that of a server in front of it.
  const answer = (await response?.json().catch(() => null)) as Answer | null | undefined;
  if (answer?.code === "nothing_verified") {
    const nothing = nothingVerified(choice);
    return answer.message && answer.message !== nothing.text ? refused(answer.message) : nothing;
  }
  if (response && answer?.message && (REFUSALS.includes(response.status) || answer.code === "export_too_large")) {
    return refused(answer.message);
  }
  return (response?.ok && answer?.form) || null;
}

/** The answer of `POST /api/exports`. */
interface Answer {
  form?: Form;
  code?: string;
  message?: string;
}

function post(choice: Choice, key: string): Promise<Response> {
  return fetch("/api/exports", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(choice),
  });
}

/**
 * Fetches the PDF worker into the browser's cache before it is needed. It has a third of a megabyte, so not if the
 * browser saves data. An error here is ignored, because it occurs again, and is shown, during the export.
 */
export function prepareExport(): void {
  if (!savesData()) fetch(builder).catch(() => {});
}

/** Runs in a worker, so that the page stays responsive. */
function makePdf(form: Form, onPage: OnPage): Promise<Blob> {
  const worker = new Worker(builder, { type: "module" });
  const made = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if ("pdf" in data) resolve(data.pdf);
      else if ("error" in data) reject(new Error(data.error));
      else onPage(data.page, data.pages);
    };
    worker.onerror = () => reject(new Error("the PDF worker could not be loaded"));
    worker.postMessage(form);
  });
  return made.finally(() => worker.terminate());
}

function save(pdf: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(pdf);
  link.download = name;
  link.click();
  // Later, because Safari is still reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
