import fc from "fast-check";
import { adminDeletesUser, logIn, logOut, register, reset } from "./account-commands.ts";
import { type Kind, PEOPLE } from "./model.ts";
import type { Command } from "./model-command.ts";
import { adminDeletesEntry, edit, log, remove, undo } from "./record-commands.ts";
import { addSupervisor, confirm, request, withdraw, wrongToken } from "./verification-commands.ts";

const who = fc.nat(PEOPLE - 1);
const choice = fc.nat(20);
const isLost = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);
const kind = fc.constantFrom<Kind>("entry", "rope_hour");
const password = fc.constantFrom("first password", "second password");
const name = fc.constantFrom("Ola Hansen", "O’Brien", "Łukasz Żółć");
/** Hours as the audit log keeps them, with two decimals at most. */
const hours = fc.integer({ min: 10, max: 2400 }).map((hundredths) => hundredths / 100);

/** All user actions, the common ones more often. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.tuple(who, password).map((args) => register(...args)),
  fc.tuple(who, fc.boolean()).map((args) => logIn(...args)),
  fc.tuple(who, fc.constant(true)).map((args) => logIn(...args)),
  who.map(logOut),
  ...[1, 2, 3].map(() =>
    fc.tuple(who, kind, fc.boolean(), isLost, fc.integer({ min: 1, max: 29 }), hours).map((args) => log(...args)),
  ),
  fc.tuple(who, isLost).map((args) => addSupervisor(...args)),
  ...[1, 2].map(() => fc.tuple(who, choice, isLost).map((args) => request(...args))),
  ...[1, 2].map(() => fc.tuple(choice, fc.nat(PEOPLE), name, fc.boolean(), isLost).map((args) => confirm(...args))),
  fc.tuple(who, choice, hours).map((args) => edit(...args)),
  fc.tuple(who, choice).map((args) => remove(...args)),
  fc.tuple(who, choice).map((args) => undo(...args)),
  fc.tuple(who, choice).map((args) => withdraw(...args)),
  fc.uuid().map(wrongToken),
  fc.tuple(who, password, isLost).map((args) => reset(...args)),
  who.map(adminDeletesUser),
  choice.map(adminDeletesEntry),
];
