import type { HeadersFunction, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { actOnPerson, findPerson, sendResetLink } from "#app/admin/people.server.ts";
import { ACT_TEXTS, actNamed, RESET_LINK } from "#app/admin/person-acts.ts";
import { PersonScreen } from "#app/admin/person-screen.tsx";
import { personHref } from "#app/admin/view.ts";
import dialogStyles from "#app/dialogs.css?inline";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import { parseId } from "#app/server/query.ts";
import type { RouteHandle } from "#app/server/route.ts";
import signedInStyles from "#app/signed-in.css?inline";
import styles from "#app/styles.css?inline";

/** A user, for an admin; with an act it asks first. */
export const handle = { script: true, fresh: true, css: styles + signedInStyles + dialogStyles } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: "User · Hours Tracker" }];

/** Passes on what the action says: no cache keeps the page with a link. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const loader = page(async ({ params, context }) => {
  const { user, person } = await findPerson(context, parseId(params.id));
  return { user, person, isSelf: user.id === person.id, act: actIn(params.act), timeZone: context.timeZone };
});

/** @throws {AppError} 404 for an unknown act */
function actIn(name: string | undefined) {
  const act = actNamed(name);
  if (name && !act) throw new AppError("not_found", "There is no such page.");
  return act;
}

export const action = formAction<{ url: string }>(
  { failed: "Failed to save the change. Please try again.", title: "Not changed", showsErrors: true },
  async ({ params, context }, form) => {
    const id = parseId(params.id);
    const act = actIn(params.act);
    if (!act) throw new AppError("not_found", "There is no such form.");
    if (act !== RESET_LINK) {
      await actOnPerson(context, id, act);
      // An admin who gives up the role can no longer see the page.
      const isGivenUp = act === "remove-admin" && id === context.visit.userId;
      const title = isGivenUp ? "You are no longer an admin" : ACT_TEXTS[act].done;
      return redirectTo(context, isGivenUp ? "/profile" : personHref(id), { toast: { kind: "success", title } });
    }
    const { emailed, url } = await sendResetLink(context, id);
    if (url) return form.show({ extra: { url }, headers: { "Cache-Control": "no-store" } });
    const title = emailed ? "The link was emailed" : "The link could not be emailed";
    const text = emailed ? undefined : "The address of this account is not confirmed, or asked for no emails.";
    return redirectTo(context, personHref(id), {
      toast: { kind: emailed ? "success" : "error", title, ...(text && { text }) },
    });
  },
);

export default function AdminPerson() {
  const { person, isSelf, act, timeZone } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const url = answer?.extra?.url ?? null;
  return (
    <PersonScreen
      person={person}
      isSelf={isSelf}
      act={url ? null : act}
      timeZone={timeZone}
      url={url}
      toast={answer?.failure}
    />
  );
}
