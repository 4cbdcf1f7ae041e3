import type { Client } from "#tests/worker/client.ts";

/** Everything that a technician has seen that may be a secret of a link. */
export class Knowledge {
  readonly tokens = new Set<string>();
  /** Values of the parameter `m`, and whatever has its form. */
  readonly secrets = new Set<string>();
  /** Paths of links with their secret, as they were seen. */
  readonly links = new Set<string>();
  /** Paths of other links: of inboxes, of disowning, of a change of the account's address, of no more emails. */
  readonly paths = new Set<string>();

  /** Remembers what is in a text: an answer, its headers, an email. */
  learn(text: string): void {
    for (const [token] of text.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) this.tokens.add(token);
    for (const [link] of text.matchAll(/\/verify\/[0-9a-f-]{36}\?m=[\w-]+/g)) this.links.add(link);
    for (const [, secret = ""] of text.matchAll(/[?&;]m=([\w-]+)/g)) this.secrets.add(secret);
    for (const [, secret = ""] of text.matchAll(/"([\w-]{22})"/g)) this.secrets.add(secret);
    for (const [path] of text.matchAll(/\/(?:inbox|disown|account\/email|unsubscribe)\/[\w.-]{20,}/g))
      this.paths.add(path);
  }
}

/** The same client, which remembers all that it is sent. */
export function learning<Browser extends Client>(client: Browser, known: Knowledge): Browser {
  const send = client.send.bind(client);
  client.send = async (...args) => {
    const answer = await send(...args);
    known.learn(`${answer.text}\n${[...answer.headers].join("\n")}`);
    return answer;
  };
  return client;
}
