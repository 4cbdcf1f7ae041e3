import { formIn } from "./html.ts";

/** A response, read in full. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The number of D1 round trips. */
  readonly trips: number;
  /** The number of rows that D1 read and wrote. */
  readonly rows: { read: number; written: number };

  constructor(status: number, headers: Headers, bytes: Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
    this.text = new TextDecoder().decode(bytes);
    this.trips = Number(headers.get("x-d1-round-trips") ?? Number.NaN);
    const [read = Number.NaN, written = Number.NaN] = (headers.get("x-d1-rows") ?? "").split(" ").map(Number);
    this.rows = { read, written };
  }

  /** The body, which must be JSON. The test names the expected type. */
  json<T = Record<string, unknown>>(): T {
    if (!this.headers.get("Content-Type")?.startsWith("application/json")) {
      throw new Error(`expected JSON, got ${this.headers.get("Content-Type")}: ${this.text.slice(0, 200)}`);
    }
    return JSON.parse(this.text) as T;
  }

  get location(): string | null {
    return this.headers.get("Location");
  }

  /** The `Set-Cookie` line of a cookie, or undefined. */
  setCookie(name: string): string | undefined {
    return this.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  }
}

/** Where requests go: Miniflare or the executable. */
export interface Exchange {
  dispatchFetch(
    url: string,
    init?: object,
  ): Promise<{ status: number; headers: Iterable<[string, string]>; arrayBuffer(): Promise<ArrayBuffer> }>;
}

export interface Sending {
  headers?: Record<string, string>;
  body?: string | Uint8Array | FormData | URLSearchParams;
}

let addresses = 0;

/** Returns a new IP address, so that rate limits count each client separately. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** An HTTP client with its own cookies and address. It follows no redirect by itself. */
export class Client {
  readonly cookies: Map<string, string>;
  /** The client address, as Cloudflare would report it. */
  address = freshAddress();
  readonly #transport: Exchange;
  protected readonly origin: string;

  constructor(transport: Exchange, origin: string, cookies = new Map<string, string>()) {
    this.#transport = transport;
    this.origin = origin;
    this.cookies = cookies;
  }

  /** A client over the same transport with other cookies: another user's, old ones, none. */
  as(cookies: Map<string, string>): Client {
    return new Client(this.#transport, this.origin, new Map(cookies));
  }

  async send(method: string, path: string, { headers = {}, body }: Sending = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    // As a base, the origin would make `//x` a host.
    const url = new URL(path.startsWith("/") ? this.origin + path : path);
    const response = await this.#transport.dispatchFetch(url.href, {
      method,
      redirect: "manual",
      headers: {
        "CF-Connecting-IP": this.address,
        "User-Agent": "tests",
        ...(cookie && { Cookie: cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: body as BodyInit }), // bytes of any buffer
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const answer = new Answer(response.status, new Headers([...response.headers]), bytes);
    this.#keep(answer.headers.getSetCookie());
    return answer;
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send("GET", path, headers && { headers });
  }

  /** Posts a form as a browser does. */
  post(path: string, fields: Record<string, string> | URLSearchParams, headers?: Record<string, string>) {
    return this.send("POST", path, { body: new URLSearchParams(fields), ...(headers && { headers }) });
  }

  /** Makes an API call. Without `body` it sends none, and no content type. */
  json(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    if (body === undefined) return this.send(method, path, { headers });
    return this.send(method, path, {
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  /**
   * Fills in the form of a page that posts to `action` (see `formIn`) and presses one of its buttons, as a browser
   * without JavaScript does. `button` is the button's text; without it Enter presses the form's first button.
   */
  submit(page: Answer, action: string, fields: Record<string, string>, button?: string): Promise<Answer> {
    const form = formIn(page.text, action);
    const values = form.values(fields, button);
    if (form.method === "post") return this.post(form.action, values);
    return this.get(`${form.action}?${values}`);
  }

  /** GETs the target of a redirect. */
  follow(answer: Answer): Promise<Answer> {
    if (!answer.location) throw new Error(`expected a redirect, got ${answer.status}: ${answer.text.slice(0, 200)}`);
    return this.get(answer.location);
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(/;\s*/);
      const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      if (attributes.some((attribute) => attribute.toLowerCase() === "max-age=0")) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
