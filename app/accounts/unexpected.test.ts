import { expect, test, vi } from "vitest";
import { action } from "#app/routes/auth.tsx";

/*
 * D1 only ever throws errors, so no request to the Worker reaches this branch: the action is called with a context that
 * throws another value.
 */

test.each(["/auth", "/auth?tab=register"])(
  "%s reports an unexpected error when a value that is not an Error is thrown",
  async (path) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const request = new Request(`http://localhost${path}`, {
      method: "POST",
      body: new URLSearchParams({ email: "kari@example.com", password: "correct horse battery" }),
    });
    const context = {
      get db() {
        throw "gone";
      },
    };
    // The only part of a context that the action reads before it throws.
    const args = { request, params: {}, context } as unknown as Parameters<typeof action>[0];
    const answer = await action(args);
    logged.mockRestore();
    expect(answer).toMatchObject({
      init: { status: 500 },
      data: { failure: { text: "An unexpected error occurred" } },
    });
  },
);
