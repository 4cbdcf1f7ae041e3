import type { Email } from "#app/mail/email.ts";
import { prepare } from "#app/mail/service.server.ts";
import type { MailSettings } from "#app/mail/settings.server.ts";

/** Sends one email in workerd, with the sockets and the certificate authorities that the app has (scripts/mail-test.ts). */
export default {
  async fetch(request) {
    const { email, settings } = await request.json<{ email: Email; settings: MailSettings }>();
    return Response.json(await prepare(email, settings, crypto.randomUUID())());
  },
} satisfies ExportedHandler;
