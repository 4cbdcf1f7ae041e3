import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { groupBy } from "#app/db/client.server.ts";
import { AppError } from "#app/errors.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { readForm } from "#app/forms/read-form.server.ts";
import { mailedToken } from "#app/mail/links.ts";
import { page, redirectTo } from "#app/server/page.server.ts";
import type { RouteHandle } from "#app/server/route.ts";
import styles from "#app/styles.css?inline";
import { PublicLayout } from "#app/ui/page.tsx";
import { answersAbout, ITEMS, severalForm } from "#app/verification/answer/answers.server.ts";
import crewStyles from "#app/verification/answer/crew.css?inline";
import { answerCrew, crewMessage, findCrew, idIn } from "#app/verification/answer/crew.server.ts";
import { noteOpening } from "#app/verification/answer/opening.server.ts";
import severalStyles from "#app/verification/answer/several.css?inline";
import verifyStyles from "#app/verification/answer/verify.css?inline";
import { CrewScreen, type Member } from "#app/verification/answer/verify-crew.tsx";
import type { FoundLink } from "#app/verification/link.server.ts";
import { mailboxSecret } from "#app/verification/link-secrets.server.ts";
import { askerOf, visibleLink } from "#app/verification/link-view.server.ts";

export const handle = {
  access: "public",
  secret: true,
  keepsForm: true,
  css: styles + verifyStyles + severalStyles + crewStyles,
} satisfies RouteHandle;

function pathOf(token: string): string {
  return `/inbox/${encodeURIComponent(token)}`;
}

export const meta: MetaFunction = () => [{ title: "Waiting for your answer · Hours Tracker" }];

export const loader = page(async ({ params, context }) => {
  const token = mailedToken(params.token);
  const action = pathOf(token);
  const { timeZone } = context;
  try {
    const { links, own, hasMore, answered } = await findCrew(context, token);
    noteOpening(context, ...links);
    const members = [...groupBy(links, ({ owner }) => owner.id).values()].map((same) => memberOf(same));
    const [first] = links;
    const { name = null, certification = null } = first?.lastStated ?? {};
    const signed = name ? { name, certification } : null;
    const ownNames = [...new Set(own.map(({ owner }) => owner.name || "a technician"))];
    const crew = { action, members, own: ownNames, hasMore, answered, signed, timeZone };
    return data({ crew, failure: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return data({ crew: null, failure: error.message }, { status: error.status });
  }

  /** A technician with the waiting records of all their requests. */
  function memberOf(links: FoundLink[]): Member {
    const [first] = links as [FoundLink];
    const { user, supervisor } = visibleLink(first);
    return {
      link: {
        user,
        supervisor,
        expiresAt: new Date(Math.min(...links.map(({ request }) => Number(request.expiresAt)))),
      },
      asker: askerOf(first, context.mail),
      items: links.flatMap((link) => visibleLink(link).items).filter(({ state }) => state === "waiting"),
      path: `/verify/${first.request.token}?m=${mailboxSecret(context.secret, first.request)}`,
    };
  }
});

export const action = formAction(
  {
    title: "Verification failed",
    failed: "An error occurred during verification",
    errorPage: "An error occurred during verification. Please try again.",
  },
  async ({ request, params, context }, form) => {
    const token = mailedToken(params.token);
    const sent = await readForm(request, ITEMS);
    const ids = [...sent].flatMap(([name, value]) => (name.endsWith(".shown") ? [idIn(String(value))] : []));
    const body = form.parse(sent, severalForm);
    const crew = await findCrew(context, token, ids.filter(Number.isInteger));
    const answers = answersAbout(
      crew.links.flatMap(({ items }) => items),
      body,
    );
    const done = await answerCrew(context, token, crew, { ...answers, via: "mailbox" });
    const isSaved = done.answered.some(({ verified, declined }) => verified.length + declined.length > 0);
    const title = isSaved ? "Answers received" : "Nothing was saved";
    return redirectTo(context, pathOf(token), {
      toast: { kind: isSaved ? "success" : "error", title, text: crewMessage(done) },
    });
  },
);

/** All that waits for an address, answered with one name and one button; or why the link does not work. */
export default function InboxOfAddress() {
  const { crew, failure } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (crew) return <CrewScreen {...crew} reply={answer?.reply} toast={answer?.failure} />;
  return (
    <PublicLayout>
      <h1>Waiting for your answer</h1>
      <p className="alert">
        {failure} <a href="/inbox">Send a new link</a>
      </p>
    </PublicLayout>
  );
}
