import { newSigningKey, signingKeyProblem } from "#app/proof/signing-key.ts";
import { logEvent } from "#app/server/logger.server.ts";

/** The file in the data folder; the name is part of the documentation. */
const FILE = "http://data/signing-key";

let key: Promise<string> | null = null;

/**
 * The private key of export statements: the setting, or the file in the data folder, made at the first start. Empty if that
 * can neither be read nor written. `problemOf` comes first: it locks the folder, so that no two programs make one.
 */
export function signingKeyOf({ SIGNING_KEY, FILES }: { SIGNING_KEY: string | null; FILES: Fetcher }): Promise<string> {
  const where = SIGNING_KEY ? {} : { advice: "It is read from the file signing-key in the data folder." };
  key ??= (SIGNING_KEY ? Promise.resolve(SIGNING_KEY) : keptOrMade(FILES)).then(
    (found) => {
      const problem = signingKeyProblem(found);
      if (problem) logEvent("error", "signing key", { problem, ...where });
      return found;
    },
    (error: Error) => {
      logEvent("error", "signing key", { problem: `The file signing-key cannot be used: ${error.message}` });
      return "";
    },
  );
  return key;
}

async function keptOrMade(files: Fetcher): Promise<string> {
  const kept = await files.fetch(FILE);
  if (!kept.ok && kept.status !== 404) throw new Error(`it answers ${kept.status} to being read`);
  const text = kept.ok ? (await kept.text()).trim() : "";
  if (text) return text; // a full disk leaves an empty file
  const made = await newSigningKey();
  const written = await files.fetch(FILE, { method: "PUT", body: made });
  if (!written.ok) throw new Error(`it answers ${written.status} to being written`);
  return made;
}
