import { AwsClient } from "aws4fetch";
import { messageOf } from "#app/errors.ts";
import type { Digest, Stream } from "./packing.ts";
import type { S3Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/** SHA-256 of nothing. */
const NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A listing has 1,000 names; more pages than this are another's files. */
const PAGES = 100;

/** How long a request without a backup in it may take, in milliseconds. */
const SHORT_MS = 60_000;

const ADVICE: Record<string, string> = {
  InvalidAccessKeyId: "check S3_ACCESS_KEY_ID",
  SignatureDoesNotMatch: "check S3_SECRET_ACCESS_KEY and S3_REGION",
  AuthorizationHeaderMalformed: "check S3_REGION",
  AccessDenied: "the key may not do this",
  NoSuchBucket: "check S3_BUCKET",
  RequestTimeTooSkewed: "set this machine's clock",
};

/** A folder of a bucket in an S3-compatible store, by the calls that all of them have. */
export class S3 implements Store {
  readonly place = "s3";
  readonly #settings: S3Settings;
  readonly #client: AwsClient;
  readonly #root: string;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    const { accessKeyId, secretAccessKey, region } = settings;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
    this.#root = rootOf(settings);
  }

  async list(): Promise<string[]> {
    const names: string[] = [];
    let token: string | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const query = new URLSearchParams({ "list-type": "2", prefix: this.#settings.prefix });
      if (token) query.set("continuation-token", token);
      const answer = await this.#ask("GET", `?${query}`, "list");
      const text = await answer.text();
      for (const [, key = ""] of text.matchAll(/<Key>([^<]*)<\/Key>/g))
        names.push(key.slice(this.#settings.prefix.length));
      token = unescaped(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? "");
      if (!token) break;
    }
    return names;
  }

  async read(name: string): Promise<Stream | null> {
    const answer = await this.#ask("GET", this.#key(name), "read", { allowed: 404 });
    return answer.ok ? answer.body : null;
  }

  /** A stream needs its digest: the store is told its length, and checks its hash. */
  async write(name: string, content: Stream | string, digest?: Digest): Promise<void> {
    const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
    if (body instanceof Uint8Array) {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
      const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      await this.#ask("PUT", this.#key(name), "write", { body, sha256 });
    } else {
      if (!digest) throw new Error("a stream is sent with its digest only");
      const { readable, writable } = new FixedLengthStream(digest.bytes);
      const copied = body.pipeTo(writable);
      copied.catch(() => {}); // the request fails then, and tells why
      await this.#ask("PUT", this.#key(name), "write", { body: readable, sha256: digest.sha256 });
    }
  }

  async remove(name: string): Promise<void> {
    await this.#ask("DELETE", this.#key(name), "delete", { allowed: 404 });
  }

  #key(name: string): string {
    return `/${this.#settings.prefix}${name}`;
  }

  async #ask(
    method: string,
    path: string,
    what: string,
    { body, sha256 = NOTHING, allowed }: { body?: BodyInit; sha256?: string; allowed?: number } = {},
  ): Promise<Response> {
    const headers = { "X-Amz-Content-Sha256": sha256 };
    const { timeout } = this.#settings;
    const signal = AbortSignal.timeout(what === "read" || what === "write" ? timeout : Math.min(timeout, SHORT_MS));
    const signed = await this.#client.sign(this.#root + path, { method, headers, ...(body && { body }) });
    const answer = await fetch(signed, { redirect: "manual", signal }).catch((error) => {
      throw new Error(`the S3 store cannot be reached to ${what}: ${messageOf(error)}`);
    });
    if (answer.ok || answer.status === allowed) return answer;
    const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? "no code";
    throw new Error(
      `the S3 store answers ${answer.status} (${code}) to ${what}${ADVICE[code] ? `: ${ADVICE[code]}` : ""}`,
    );
  }
}

/** The address of the bucket. */
export function rootOf({
  endpoint,
  bucket,
  isVirtualHost,
}: Pick<S3Settings, "endpoint" | "bucket" | "isVirtualHost">): string {
  if (!isVirtualHost) return `${endpoint}/${bucket}`;
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${bucket}.${host}`;
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
