import { localToday } from "#app/client/local-today.client.ts";
import type { Form, FormKind, FormUser } from "./form.ts";
import { FORM_KINDS } from "./form-kinds.ts";
import { formOfKind } from "./form-of-kind.ts";

/**
 * The form of all verified hours of a kind where the server makes no export: it has no code. It is a file of its own,
 * because it is rarely needed.
 * @throws if the records cannot be loaded
 */
export async function formWithoutCode(kind: FormKind): Promise<Form> {
  const [user, records] = await Promise.all([get<FormUser>("/api/user"), get<{ id: number }[]>(FORM_KINDS[kind].call)]);
  return formOfKind(kind, user, records, localToday());
}

async function get<Answer>(call: string): Promise<Answer> {
  const response = await fetch(call);
  if (!response.ok) throw new Error(`${call} answered ${response.status}`);
  return response.json();
}
