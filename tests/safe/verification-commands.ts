import { expect } from "vitest";
import { aSupervisor } from "#tests/worker/people.ts";
import { PEOPLE, recordAt } from "./model.ts";
import { command, personOf, pick, readClient, sendKeyed, statusOf } from "./model-command.ts";

export const addSupervisor = (number: number, isLost: boolean) =>
  command(`person ${number} adds a supervisor${isLost ? ", and the answer is lost" : ""}`, async (model, real) => {
    const person = personOf(model, number);
    const name = `Supervisor ${person.supervisors.length}`;
    const email = `supervisor-${person.supervisors.length}@example.org`; // each mailbox is saved once
    const answer = await sendKeyed(isLost, (key, headers) =>
      readClient(real, number).json("POST", "/api/supervisors", aSupervisor({ name, email }), {
        ...headers,
        "Idempotency-Key": key,
      }),
    );
    expect(answer.status).toBe(person.isSignedIn ? 201 : 401);
    if (person.isSignedIn) person.supervisors.push({ id: answer.json<{ id: number }>().id, name });
  });

/** Asks a saved supervisor to verify any record: the person's, another user's, a verified one. */
export const request = (number: number, choice: number, isLost: boolean) =>
  command(
    `person ${number} asks about record ${choice}${isLost ? ", and the answer is lost" : ""}`,
    async (model, real) => {
      const person = personOf(model, number);
      const record = pick(model.records, choice);
      const supervisor = pick(person.supervisors, choice);
      if (!record || !supervisor) return;
      const path = record.kind === "entry" ? "/api/verify-request" : "/api/verify-request-rope";
      const answer = await sendKeyed(isLost, (key, headers) =>
        readClient(real, number).json(
          "POST",
          `${path}/${record.id}`,
          { supervisorId: supervisor.id },
          { ...headers, "Idempotency-Key": key },
        ),
      );
      const status = !person.isSignedIn ? 401 : record.owner !== number ? 404 : record.verifiedBy ? 409 : 200;
      expect(answer.status).toBe(status);
      if (status !== 200) return;
      const { verificationToken: token } = answer.json<{ verificationToken: string }>();
      if (record.token) return expect(token).toBe(record.token);
      record.token = token;
      model.links.push({ token, kind: record.kind, id: record.id });
    },
  );

/** Opens any link ever created and verifies, signed out or as any user. */
export const confirm = (choice: number, by: number, name: string, isPage: boolean, isLost: boolean) =>
  command(
    `${by < PEOPLE ? `person ${by}` : "a anonymous"} confirms by link ${choice}${isLost ? ", and the answer is lost" : ""}`,
    async (model, real) => {
      const link = pick(model.links, choice);
      if (!link) return;
      const record = recordAt(model, link.token);
      const client = by < PEOPLE ? readClient(real, by) : real.anonymous;
      const isOwn = record?.owner === by && personOf(model, by).isSignedIn;
      // The facts that the verifier was shown; the opening is in the audit log by the time they send.
      const shown = (await real.anonymous.get(`/api/verify/${link.token}`)).headers.get("ETag") ?? "";
      await real.app.idle();
      const body = { supervisorName: name, shown: isPage ? shown.replaceAll('"', "") : shown };
      const send = (headers: Record<string, string>) =>
        isPage
          ? client.post(`/verify/${link.token}`, body, headers)
          : client.json("POST", `/api/verify/${link.token}`, body, headers);
      const isOpen = record !== undefined && !record.verifiedBy && !isOwn;
      if (isLost) {
        await send({ "x-fail-d1-round-trip": "2 after" });
        if (isOpen) record.verifiedBy = name;
      }
      const answer = await send({});
      if (!record) return expect(answer.status).toBe(404);
      if (isOwn) return expect([403, 303]).toContain(answer.status); // a used link's page shows who used it
      if (isLost || !isOpen) return expect([409, 303]).toContain(answer.status);
      expect([200, 303]).toContain(answer.status);
      record.verifiedBy = name;
    },
  );

export const withdraw = (number: number, choice: number) =>
  command(`person ${number} withdraws the request about record ${choice}`, async (model, real) => {
    const record = pick(model.records, choice);
    if (!record) return;
    const page = record.kind === "entry" ? "/profile" : "/rope-hours";
    const answer = await readClient(real, number).post(`${page}/record/${record.id}/withdraw`, {});
    const status = statusOf(personOf(model, number), number, record);
    expect(answer.status).toBe(status === 404 ? 404 : 303);
    if (status === 200) record.token = null;
  });

export const wrongToken = (token: string) =>
  command("a anonymous tries a made-up link", async (_model, real) => {
    const answer = await real.anonymous.json("POST", `/api/verify/${token}`, { supervisorName: "Mallory" });
    expect(answer.status).toBe(404);
  });
