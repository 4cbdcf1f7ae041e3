import type { Page } from "@playwright/test";
import type { Technician } from "#tests/browser/technician.ts";

/** Pages and states of the app by name, each with the steps that reach it. */
export type States = Record<string, (page: Page, technician: Technician) => Promise<unknown>>;
