import { newSigningKey } from "#app/proof/signing-key.ts";

/** `npm run signing-key`: prints a new private key for SIGNING_KEY, and on the error stream what to do with it. */
export default async function signingKey(): Promise<void> {
  console.error(`A new private key for export statements. Anyone who has it can sign in your name: store it in one place, and do not send it.

  Cloudflare       npm run --silent signing-key | npx wrangler secret put SIGNING_KEY
  npm start        npm run --silent signing-key > .data/signing-key, or in your DATA_DIR, then start again
  one executable   put it into the file signing-key in the data folder, or set SIGNING_KEY, then start again

The previous key is retired at the next export. Its public part stays at /.well-known/jwks.json, so its statements can still
be verified. To rotate, do the same again. docs/proof.md says what to do after a leak.
`);
  console.log(await newSigningKey());
}
