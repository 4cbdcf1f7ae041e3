import { callsOf, type DescribedCall } from "#app/api/document.server.ts";
import { routeIdOf } from "#app/api/endpoint.server.ts";
import { ALL_ENDPOINTS } from "#app/routes/api/all-endpoints.server.ts";
import type { World } from "#tests/worker/world.ts";

export const VISITORS = ["nobody", "owner", "other", "admin", "right token", "wrong token"] as const;
/**
 * Three visitors are signed in: owner, other and admin. "right token" and "wrong token" send a valid token and a
 * made-up one; "nobody" sends none, or text that is not a token if the address needs one. On a link the signed-in
 * visitors have the right token. On any other address a token is sent as a session, a key and a query, and must give
 * access to nothing.
 */
export type Visitor = (typeof VISITORS)[number];

/** A status, or the target of a redirect and whether the redirect is a refusal. */
export type Outcome = number | { to: string; isRefusal: boolean };
export type Cells = Record<Visitor, Outcome>;

/** An owner and a kind of text: `owner name`. The texts differ in every world. */
export const KINDS = ["email", "name", "record", "rest", "supervisor"] as const;
export type Word = `${"owner" | "other" | "admin"} ${(typeof KINDS)[number]}`;

export interface RowCall {
  /** By default, the cells of an endpoint follow from its description (`withCells`). */
  cells?: Cells;
  /** The valid input: fields of a form, or JSON. */
  form?: (world: World) => Record<string, string>;
  json?: (world: World) => unknown;
  /** Other users' texts that a successful visitor may read, and the token of a link that the page leads to. */
  shows?: (Word | "used")[];
  /** The users whose rows a successful visitor may change, beside their own. */
  changes?: ("owner" | "other")[];
}

export interface Call extends RowCall {
  cells: Cells;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Row<One extends RowCall = Call> extends Partial<Record<Method, One>> {
  address: string | ((world: World, token: string) => string);
  /** The address holds a token: of an open link, a used one, a reset link, a link that changes an email address, or a code. */
  link?: "open" | "used" | "reset" | "inbox" | "disown" | "confirm" | "unsubscribe" | "change" | "export";
  /** No route has this address: any method is 404. */
  isUnknown?: true;
}

/** The rows of a path. Several if one address is not enough. */
export type Rows<One extends RowCall = RowCall> = Record<string, Row<One> | Row<One>[]>;

export function cells(
  nobody: Outcome,
  owner: Outcome,
  other: Outcome,
  admin: Outcome,
  right: Outcome = nobody,
  wrong: Outcome = nobody,
): Cells {
  return { nobody, owner, other, admin, "right token": right, "wrong token": wrong };
}

/** The same for every visitor, or for every signed-in one. */
export function all(outcome: Outcome, stranger = outcome): Cells {
  return cells(stranger, outcome, outcome, outcome);
}

/** A redirect after success. */
export function to(path: string): Outcome {
  return { to: path, isRefusal: false };
}

/** A redirect as a refusal: nothing was read or changed. */
export function away(path: string): Outcome {
  return { to: path, isRefusal: true };
}

// In the order nobody, owner, other, admin; then right and wrong token if they differ from nobody.
export const PUBLIC = all(200);
export const HOME = cells(200, to("/profile"), to("/profile"), to("/admin"));
export const PAGE = cells(away("/auth"), 200, 200, 200);
export const OWN_PAGE = cells(away("/auth"), 200, 404, 404);
export const ADMIN_PAGE = cells(away("/auth"), away("/profile"), away("/profile"), 200);
/**
 * The rows with the cells of every call. The first row of an endpoint has all of its methods: those that it does not name need
 * no body.
 */
export function withCells(rows: Rows): Rows<Call> {
  return Object.fromEntries(
    Object.entries(rows).map(([path, some]) => {
      const described = DESCRIBED.filter(({ endpoint }) => routeIdOf(endpoint) === path);
      const list = [some].flat().map((row, index): Row => {
        const calls = described.flatMap((call): [Method, Call][] => {
          const own = row[call.method] ?? (index === 0 ? {} : null);
          return own ? [[call.method, { cells: cellsOf(call), ...own }]] : [];
        });
        return { ...(row as Row), ...Object.fromEntries(calls) }; // a page's row has its cells
      });
      return [path, list];
    }),
  );
}

/** The cells of an endpoint, by who may call it and whether its address names something that belongs to the owner. */
function cellsOf({ endpoint, operation }: DescribedCall): Cells {
  const status = operation.status ?? 200;
  if (endpoint.access === "admin") return cells(401, 403, 403, status);
  if (endpoint.access === "user") return endpoint.path.includes("{") ? cells(401, status, 404, 404) : all(status, 401);
  const unknown = operation.errors?.includes("link_ended") ? 400 : 404;
  return endpoint.secret ? cells(unknown, status, status, status, status, unknown) : all(status);
}

const DESCRIBED = callsOf(ALL_ENDPOINTS);

export const LINK = cells(404, 200, 200, 200, 200, 404);
/** A link to an account: of a reset, or of a change of the email address. */
export const RESET_LINK = cells(400, 200, 200, 200, 200, 400);

const ALL_OF = (who: "owner" | "other" | "admin") => KINDS.map((kind): Word => `${who} ${kind}`);
/** The texts that a supervisor is shown: the record and its owner's name. */
export const RECORD: Word[] = ["owner name", "owner record"];
/** The page on which a request is answered has the technician's address too. */
export const ASKER: Word[] = [...RECORD, "owner email"];
export const EVERYBODY = [...ALL_OF("owner"), ...ALL_OF("other"), ...ALL_OF("admin")].filter(
  (word) => !word.endsWith("supervisor"),
);

export const SUPERVISOR_NAME = { supervisorName: "Somebody Else" };
export const DECLINE = { ...SUPERVISOR_NAME, reason: "It was another day" };
