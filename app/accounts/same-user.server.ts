import { AppError } from "#app/errors.ts";
import type { User } from "./user.ts";

const OTHERS = "These hours belong to another user, who has to sign in to send them.";

/** Hours that one user typed, sent with the session of another. By the error's path a browser tells it from other 403s. */
export class OtherUserError extends AppError {
  constructor() {
    super("other_user", OTHERS, [{ path: "For-User", message: OTHERS }]);
  }
}

/**
 * Refuses hours that a browser kept for one user and sends with the session of another: between the reading of the session
 * and the sending somebody else can have signed in on the device. `For-User` is the id of the user who typed them.
 * @throws {OtherUserError} 403 for another user's id
 */
export function requireSameUser({ headers }: Pick<Request, "headers">, { id }: User): void {
  const owner = headers.get("For-User");
  if (owner !== null && owner !== String(id)) {
    throw new OtherUserError();
  }
}
