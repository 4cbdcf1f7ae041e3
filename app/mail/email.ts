import { plainName } from "./typed-text.ts";

export interface Correspondent {
  email: string;
  /** As somebody typed it. */
  name?: string | null | undefined;
}

/** A message before it has a form: what it says, in the order in which it is read. */
export interface Email {
  to: Correspondent;
  replyTo?: Correspondent;
  subject: string;
  greeting: string;
  lead: string;
  /** What a reader needs to decide. */
  facts: [term: string, value: string][];
  /** The one thing to do. */
  button: { label: string; url: string };
  /** What else is good to know, after the button. */
  notes: string[];
}

/** Mail clients have no use for lines that are longer. */
const WIDTH = 72;

/** How a letter begins: by name, where the name is one. */
export function formatGreeting({ name }: Pick<Correspondent, "name">): string {
  const plain = plainName(name);
  return plain ? `Hello ${plain},` : "Hello,";
}

/** The letter as plain text. */
export function renderText({ greeting, lead, facts, button, notes }: Email): string {
  const indent = Math.max(...facts.map(([term]) => term.length)) + 2;
  // A value's own lines stay in its column, or one could pass for another fact.
  const list = facts.map(
    ([term, value]) => `${term}:`.padEnd(indent) + value.replaceAll("\n", `\n${" ".repeat(indent)}`),
  );
  return [wrap(greeting), wrap(lead), list.join("\n"), `${button.label}:\n${button.url}`, ...notes.map(wrap), SIGNED]
    .join("\n\n")
    .concat("\n");
}

export const SIGNED = "Hours Tracker";

/** Breaks a paragraph into lines between its words. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
