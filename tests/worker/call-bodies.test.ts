import { expect, test } from "vitest";
import { openApiDocument } from "#app/api/document.server.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import { startApp } from "./app.ts";
import type { Call } from "./calls/call.ts";
import { CALLS } from "./calls.ts";
import { make, messageIn, nameOf, stored } from "./make-call.ts";
import { sameWorldFor } from "./world.ts";

/*
 * How every API call handles its body. Catches a route that reads its body without the schema, a limit that trusts
 * Content-Length, and a check that skips the content type of an empty body.
 */

const app = await startApp();
const worldAgain = await sameWorldFor(app);

/** Values that a program sends by mistake: of another type, too small, not whole, too long. */
const WRONG = [null, true, -1, 1.5, 1e21, "", "x", "x".repeat(3_000), [], [null], ["x"], {}, { x: 1 }];

/** Words of a message that a schema makes itself, where it has none for people. */
const OF_A_SCHEMA = /invalid (?:input|option|element|key)|expected|received|regex|pattern|too (?:big|small)|undefined/i;

interface Described {
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
}

/** Values of the wrong type for what is described: for all of its fields, and for the fields of each of them. */
function wrongValues({ properties = {}, items, anyOf = [] }: Described): unknown[] {
  const names = Object.keys(properties);
  const ofFields = Object.entries(properties).flatMap(([name, field]) =>
    field.properties || field.items || field.anyOf ? wrongValues(field).map((value) => ({ [name]: value })) : [],
  );
  return [
    ...WRONG,
    ...(names.length > 0 ? WRONG.map((value) => Object.fromEntries(names.map((name) => [name, value]))) : []),
    ...ofFields,
    ...(items ? wrongValues(items).map((value) => [value]) : []),
    ...anyOf.flatMap(wrongValues),
  ];
}

const { paths } = JSON.parse(openApiDocument(ALL_ENDPOINTS, "http://localhost"));

/** Returns the body that a call takes, by its description. */
function describedBody({ method }: Call, path: string): Described {
  const at = Object.keys(paths).filter((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path));
  const [taken] = at.flatMap(
    (one) => paths[one][method.toLowerCase()]?.requestBody?.content["application/json"].schema ?? [],
  );
  if (!taken) throw new Error(`${method} ${path} takes no body`);
  return taken;
}

/** `npm run safe` sends every wrong value, `npm test` a third: of each call others than of the next one. */
const isSent = (value: number, call: number) => process.env.SAFE || (value + call) % 3 === 0;

for (const [index, call] of CALLS.entries()) {
  const name = nameOf(call);

  if (call.badBodies) {
    test(`${name} reports what is wrong with each field of a body, and stores nothing`, async () => {
      const world = await worldAgain();
      const before = await stored(app);
      for (const [body, path, message, code = "invalid"] of call.badBodies ?? []) {
        const answer = await make(app, call, world, [], { body: JSON.stringify(body) });
        expect([body, answer.status]).toEqual([body, 400]);
        expect(answer.json()).toEqual({ code, message, errors: expect.arrayContaining([{ path, message }]) });
      }
      for (const body of ["", "{", "NaN", "{'a': 1}", "\u0000", "[".repeat(50_000)]) {
        const answer = await make(app, call, world, [], { body });
        expect([body.slice(0, 9), answer.status]).toEqual([body.slice(0, 9), 400]);
        messageIn(answer);
      }
      // A chunked body may come without a Content-Length. Where every field is optional, an object without one is valid.
      const empty =
        call.method === "PATCH" || /^\/api\/(disown|confirm)\/|\/has-left$/.test(call.path(world))
          ? []
          : ['{"__proto__": {"x": 1}}'];
      for (const body of ["null", "7", '"text"', "true", "[[]]", ...empty]) {
        const answer = await make(app, call, world, [], { body });
        expect([body, answer.status]).toEqual([body, 400]);
        expect(answer.json<{ errors: unknown[] }>().errors).not.toHaveLength(0);
      }
      expect(await stored(app)).toEqual(before);
    });
  }

  if (call.badBodies) {
    // Catches a rule without a message of its own: its callers read a regular expression.
    test(`${name} says what is wrong in words for people`, async () => {
      const world = await worldAgain();
      const path = call.path(world);
      const body = call.body?.(world);
      const valid = typeof body === "object" && !Array.isArray(body) ? body : {};
      const values = wrongValues(describedBody(call, path.split("?")[0] ?? ""));
      for (const wrong of values.filter((_, value) => isSent(value, index))) {
        const isPart = typeof wrong === "object" && wrong !== null && !Array.isArray(wrong);
        for (const sent of isPart ? [wrong, { ...valid, ...wrong }] : [wrong]) {
          const answer = await make(app, call, world, [], { body: JSON.stringify(sent) });
          if (answer.status < 400) await worldAgain();
          else expect([sent, answer.text]).toEqual([sent, expect.not.stringMatching(OF_A_SCHEMA)]);
        }
      }
    });
  }

  if (call.body) {
    test(`${name} accepts JSON in any spelling of its type, and no other type`, async () => {
      for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
        const answer = await make(app, call, await worldAgain(), [], { headers: { "Content-Type": type } });
        expect([type, answer.status]).toEqual([type, call.status]);
      }
      const world = await worldAgain();
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]) {
        const answer = await make(app, call, world, [], { headers: { "Content-Type": type } });
        expect([type, answer.status]).toEqual([type, 415]);
      }
    });

    test(`${name} accepts a body of 1 MiB, and not a byte more`, async () => {
      const world = await worldAgain();
      const body = JSON.stringify(call.body?.(world));
      expect((await make(app, call, world, [], { body: body.padEnd(1024 * 1024 + 1) })).status).toBe(413);
      expect((await make(app, call, world, [], { body: body.padEnd(1024 * 1024) })).status).toBe(call.status);
    });
  }
}

// Catches an answer a hundred times as long as the request.
test("the first hundred errors of 500 empty entries are reported", async () => {
  const ada = await app.register();
  const answer = await ada.json("POST", "/api/entries", Array(500).fill({}));
  const { message, errors } = answer.json<{ message: string; errors: { path: string }[] }>();
  expect([answer.status, message, errors.length]).toEqual([400, "Date is required", 100]);
  expect(errors.slice(0, 4).map(({ path }) => path)).toEqual(["0.date", "0.location", "0.method", "0.hours"]);
});
