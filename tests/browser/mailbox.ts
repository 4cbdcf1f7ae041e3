import { type APIRequestContext, expect } from "@playwright/test";

interface Mail {
  body: { personalizations: { to: { email: string }[] }[]; subject: string; content: { value: string }[] };
}

/** The messages that an address was sent, the newest first: what the local app keeps for /dev/mail. */
export async function mailTo(api: APIRequestContext, address: string): Promise<{ subject: string; text: string }[]> {
  const all: Mail[] = await (await api.get("/dev/mail/all.json")).json();
  return all
    .filter(({ body }) => body.personalizations.some(({ to }) => to.some(({ email }) => email === address)))
    .map(({ body }) => ({ subject: body.subject, text: body.content[0]?.value ?? "" }));
}

/** Waits for the newest message to an address with this subject. Returns the path of its link. */
export async function linkTo(api: APIRequestContext, address: string, subject: string | RegExp): Promise<string> {
  let path = "";
  await expect(async () => {
    const [mail] = (await mailTo(api, address)).filter((one) => one.subject.match(subject));
    path = mail?.text.match(/https?:\/\/[^/\s]+(\/\S+)/)?.[1] ?? "";
    expect(path).not.toBe("");
  }).toPass();
  return path;
}
