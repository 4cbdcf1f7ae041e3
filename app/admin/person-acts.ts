/** What an admin can do with a user's account, beside the link to reset a password. */
export const PERSON_ACTS = ["make-admin", "remove-admin", "lock", "unlock", "end-sessions"] as const;
export type PersonAct = (typeof PERSON_ACTS)[number];

/** An act on the page that asks first: its button, what it does in a sentence, and what is said when it is done. */
interface ActTexts {
  button: string;
  explains: string;
  done: string;
}

export const RESET_LINK = "reset-link" as const;
export type AnyAct = PersonAct | typeof RESET_LINK;

export const ACT_TEXTS: Record<AnyAct, ActTexts> = {
  "make-admin": {
    button: "Make admin",
    explains: "They can then see, change and delete everything that you can.",
    done: "They are an admin now",
  },
  "remove-admin": {
    button: "Remove as admin",
    explains: "They keep their account and their records.",
    done: "They are no longer an admin",
  },
  lock: {
    button: "Lock",
    explains:
      "They cannot sign in until you unlock the account. Their sessions and API tokens end now, and their links to a password or an address change nothing. Links to supervisors, records and exports stay.",
    done: "The account is locked",
  },
  unlock: { button: "Unlock", explains: "They can sign in again.", done: "The account is unlocked" },
  "end-sessions": {
    button: "End all sessions",
    explains: "They are signed out everywhere and can sign in again. API tokens stay.",
    done: "All sessions have ended",
  },
  [RESET_LINK]: {
    button: "Send a link to set a new password",
    explains: "The link works for an hour, once. An earlier link ends.",
    done: "The link was made",
  },
};

/** The act with this name; null for any other text. */
export function actNamed(name: string | undefined): AnyAct | null {
  const acts: AnyAct[] = [...PERSON_ACTS, RESET_LINK];
  return acts.find((act) => act === name) ?? null;
}

/** What makes sense for an account as it is: nobody locks their own, and a locked one gets no link. */
export function actsFor({ isAdmin, lockedAt }: { isAdmin: boolean; lockedAt: Date | null }, isSelf: boolean): AnyAct[] {
  return [
    isAdmin ? "remove-admin" : "make-admin",
    ...(isSelf ? [] : [lockedAt ? ("unlock" as const) : ("lock" as const)]),
    "end-sessions",
    ...(lockedAt ? [] : [RESET_LINK]),
  ];
}
