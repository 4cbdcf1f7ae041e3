import { requireUser } from "#app/accounts/access.server.ts";
import { page } from "#app/http/page.server.ts";
export const loader = page(async ({ context }) => {
  const { user } = await requireUser(context);
  return { user };
});
export default function Print() {
  return null;
}
