import { PUBLIC, type Rows } from "./cells.ts";

/** The files and pages that are public, the same for everyone, and may be cached. */
export const PUBLIC_FILES: Rows = {
  ".well-known/jwks.json": { address: "/.well-known/jwks.json", GET: { cells: PUBLIC } },
  "offline/entries": { address: "/offline/entries", GET: { cells: PUBLIC } },
  "offline/rope-hours": { address: "/offline/rope-hours", GET: { cells: PUBLIC } },
  checkpoint: { address: "/checkpoint", GET: { cells: PUBLIC } },
  "api/openapi.json": { address: "/api/openapi.json" },
};
