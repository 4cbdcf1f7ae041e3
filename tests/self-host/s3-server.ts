import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/*
 * A small S3-compatible store, written from Amazon's documentation alone: PUT, GET, HEAD and DELETE of an object, and
 * ListObjectsV2 in pages, with path-style and virtual-host addresses. It checks each signature (Signature Version 4), the
 * length and the hash of what it is sent, by code of its own.
 */

export const ACCESS_KEY = "AKIDEXAMPLE";
export const SECRET_KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
export const BUCKET = "hours-backups";
export const REGION = "eu-north-1";

export interface S3Server {
  /** `http://127.0.0.1:` and the port. */
  url: string;
  objects: Map<string, Buffer>;
  /** Each request: `PUT /bucket/key 200`. */
  requests: string[];
  /** Called before a request is answered; what it returns is answered instead. */
  fault: ((request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown) | null;
  /** The number of names in a page of a listing. */
  pageSize: number;
  close(): Promise<void>;
}

export async function startS3(port = 0): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { "Content-Type": "application/xml" });
      response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
    };
    response.on("finish", () => s3.requests.push(`${request.method} ${request.url} ${response.statusCode}`));
    if (s3.fault && (await s3.fault(request, response))) return;
    const problem = signatureProblem(request);
    if (problem) return refuse(403, problem);
    const url = new URL(`http://${request.headers.host}${request.url}`);
    const isVirtualHost = url.hostname.startsWith(`${BUCKET}.`);
    const [bucket, key] = isVirtualHost
      ? [BUCKET, decodeURIComponent(url.pathname.slice(1))]
      : [url.pathname.split("/")[1], decodeURIComponent(url.pathname.split("/").slice(2).join("/"))];
    if (bucket !== BUCKET) return refuse(404, "NoSuchBucket");
    if (request.method === "PUT") {
      if (request.headers["content-length"] === undefined) return refuse(411, "MissingContentLength");
      const body = await buffer(request).catch(() => null);
      if (!body) return; // the client went away: nothing is stored
      const hash = createHash("sha256").update(body).digest("hex");
      if (request.headers["x-amz-content-sha256"] !== hash) return refuse(400, "XAmzContentSHA256Mismatch");
      s3.objects.set(key, body);
      return response.writeHead(200).end();
    }
    if (request.method === "DELETE") {
      s3.objects.delete(key);
      return response.writeHead(204).end();
    }
    if (key === "") return list(s3, url.searchParams, response);
    const found = s3.objects.get(key);
    if (!found) return refuse(404, "NoSuchKey");
    response.writeHead(200, { "Content-Length": found.length });
    response.end(request.method === "HEAD" ? undefined : found);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const s3: S3Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    requests: [],
    fault: null,
    pageSize: 1000,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return s3;
}

function list({ objects, pageSize }: S3Server, query: URLSearchParams, response: ServerResponse): void {
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].sort().filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after);
  const page = keys.slice(0, pageSize);
  const isTruncated = keys.length > page.length;
  const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  response.writeHead(200, { "Content-Type": "application/xml" });
  response.end(
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

/** The code of S3's error, or null if the signature is right. */
function signatureProblem({ method = "", url = "", headers }: IncomingMessage): string | null {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!found) return "AccessDenied";
  const [, accessKey, day = "", region = "", signedHeaders = "", signature] = found;
  if (accessKey !== ACCESS_KEY) return "InvalidAccessKeyId";
  if (region !== REGION) return "AuthorizationHeaderMalformed";
  const signed = signedHeaders.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return "AccessDenied";
  const time = String(headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - at) < 15 * 60_000)) return "RequestTimeTooSkewed";
  const [path = "", query = ""] = url.split("?");
  const canonicalRequest = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, " ")}`),
    "",
    signedHeaders,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const hash = createHash("sha256").update(canonicalRequest).digest("hex");
  const scope = `${day}/${region}/s3/aws4_request`;
  const sign = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(sign, `AWS4${SECRET_KEY}`);
  const expected = sign(key, ["AWS4-HMAC-SHA256", time, scope, hash].join("\n")).toString("hex");
  return signature === expected ? null : "SignatureDoesNotMatch";
}
