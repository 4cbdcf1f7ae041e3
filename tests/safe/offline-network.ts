import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The faults of the next hours that are sent: none, lost on the way there or back, never answered, answered by a page
 * of the network that asks to sign in, or refused because the server is busy.
 */
export type Fault = "none" | "request lost" | "answer lost" | "held" | "portal" | "busy";

/** A new connection for each request, as in `npm start`: workerd closes an idle one after 5 seconds (scripts/lib/node-server.ts). */
const agent = new Agent({ keepAlive: false });

const PORTAL = "<!doctype html><title>Airport Wi-Fi</title><p>Welcome. Accept our terms to go on.</p>";

const SAVE = /^\/(api\/(entries|rope-hours)|profile\/entries\/|rope-hours\/new\/)/;

/**
 * The network between one device and the app: a proxy with an address of its own, which can be cut, and which loses or
 * holds what is sent. It also sees whether one row is under way twice.
 */
export class Network {
  readonly origin: string;
  isCut = false;
  fault: Fault = "none";
  /** Called at the start of each step of a schedule. */
  onStep: ((step: string) => void) | undefined;
  /** Answers of the network itself, by path: a new version of a file. */
  readonly files = new Map<string, string>();
  /** Request headers that never arrive: a broken app without them. */
  readonly lost: string[] = [];
  /** The number of calls with a row that was under way already, from a page that was still there. */
  twiceUnderWay = 0;
  /** The number of rows that the queue has sent so far which the network has lost, or the app has answered. */
  calls = 0;
  #held: (() => void)[] = [];
  #heldOnce: ((isForm: boolean) => void) | undefined;
  readonly #underWay = new Map<string, Set<ServerResponse>>();
  readonly #server;
  readonly #app: URL;

  private constructor(app: URL, server: ReturnType<typeof createServer>) {
    this.#app = app;
    this.#server = server;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
    server.on("request", (incoming, outgoing) => this.#pass(incoming, outgoing));
    server.on("connection", (socket) => this.isCut && socket.destroy());
  }

  static async start(app: URL): Promise<Network> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return new Network(app, server);
  }

  /** Notes what the phone does now, for the message of a schedule that hangs. */
  begin(step: string): void {
    this.onStep?.(step);
  }

  /** Before another schedule. */
  reset(): void {
    this.release();
    this.isCut = false;
    this.fault = "none";
    this.files.clear();
    this.twiceUnderWay = 0;
    this.calls = 0;
    this.#underWay.clear();
  }

  /** Whether an answer is held. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  cut(): void {
    this.isCut = true;
    this.#server.closeAllConnections();
  }

  /** Resolves when a request for saving is held, which the app has answered, with whether a form sent it. */
  whenHeld(): Promise<boolean> {
    return new Promise((done) => {
      this.#heldOnce = done;
    });
  }

  /** Lets the answers go that are held. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url = "/", headers } = incoming;
    const file = this.files.get(url);
    if (file !== undefined) {
      outgoing.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "no-cache" }).end(file);
      return;
    }
    const isSave = method === "POST" && SAVE.test(url);
    const fault = isSave ? this.fault : "none";
    if (isSave) {
      this.fault = "none";
      if (headers["idempotency-key"]) this.#watch(String(headers["idempotency-key"]), outgoing);
    }
    const isCall = isSave && url.startsWith("/api");
    if (isCall && ["request lost", "portal", "busy"].includes(fault)) this.calls += 1;
    if (fault === "request lost") {
      incoming.socket.destroy();
      return;
    }
    if (fault === "portal" || fault === "busy") {
      const answer = () =>
        fault === "portal"
          ? outgoing.writeHead(200, { "Content-Type": "text/html" }).end(PORTAL)
          : outgoing.writeHead(503, { "Retry-After": "1" }).end("busy");
      incoming.resume().on("end", answer);
      return;
    }
    const passed = { ...headers };
    for (const name of this.lost) delete passed[name];
    const { hostname, port } = this.#app;
    const onward = request({ agent, hostname, port, method, path: url, headers: passed }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("close", () => answer.complete || outgoing.destroy()); // the page would wait for the rest for ever
      answer.on("error", () => {}); // it closes then
      answer.on("end", () => {
        const finish = () => {
          if (outgoing.destroyed) return;
          outgoing
            .writeHead(answer.statusCode ?? 502, answer.headers as OutgoingHttpHeaders)
            .end(Buffer.concat(chunks));
        };
        if (fault === "answer lost" || this.isCut) outgoing.destroy();
        else if (fault === "held") {
          this.#held.push(finish);
          this.#heldOnce?.(!url.startsWith("/api"));
        } else finish();
        if (isCall) this.calls += 1;
      });
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }

  /** Two calls count if both get an answer. A page that dies lets go of its turn before its connection ends here. */
  #watch(key: string, outgoing: ServerResponse): void {
    const underWay = this.#underWay.get(key) ?? new Set();
    for (const other of underWay) {
      other.once("close", () => {
        if (other.writableFinished) this.twiceUnderWay += 1;
      });
    }
    this.#underWay.set(key, underWay.add(outgoing));
    outgoing.once("close", () => underWay.delete(outgoing));
  }
}
