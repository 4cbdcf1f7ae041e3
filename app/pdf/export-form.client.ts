import { localToday } from "#app/client/local-today.client.ts";
import { savesData } from "#app/client/save-data.client.ts";
import { fileName } from "./file-name.ts";
import { type ExperienceForm, experienceForm, type FormEntry, type FormUser } from "./form.ts";
import type { Report } from "./pdf-worker.client.tsx";
import builder from "./pdf-worker.client.tsx?worker&url";

type OnPage = (page: number, pages: number) => void;

/**
 * Makes the form of all verified hours and saves it as a file.
 * @returns false if nothing is verified
 * @throws if the entries cannot be loaded or the PDF cannot be made
 */
export async function exportForm(user: FormUser, onPage: OnPage): Promise<boolean> {
  const today = localToday();
  const form = experienceForm(user, await entries(), today);
  if (form.rows.length === 0) return false;
  save(await makePdf(form, onPage), fileName(user.name, today));
  return true;
}

async function entries(): Promise<FormEntry[]> {
  const response = await fetch("/api/entries");
  if (!response.ok) throw new Error(`/api/entries answered ${response.status}`);
  return response.json();
}

/**
 * Fetches the PDF worker into the browser's cache before it is needed. It has a third of a megabyte, so not if the
 * browser saves data. An error here is ignored, because it occurs again, and is shown, during the export.
 */
export function prepareExport(): void {
  if (!savesData()) fetch(builder).catch(() => {});
}

/** Runs in a worker, so that the page stays responsive. */
function makePdf(form: ExperienceForm, onPage: OnPage): Promise<Blob> {
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
