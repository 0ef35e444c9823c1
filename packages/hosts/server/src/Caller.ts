/** Who sends a request: an authenticated user, who reaches their own runs only, or an operator, who reaches all. */
import * as Effect from "effect/Effect"
import {
  userDigest,
  userEvent,
  type JsonObject,
  type RunEvent,
  type RunRecord,
} from "@planloom/plugin/effect"
import { Problem } from "./Problem.ts"
import type { Scope } from "./Scope.ts"

/** `id` is what runs and sessions are bound to: it must never be given to another person. */
export interface AuthenticatedUser extends JsonObject {
  readonly id: string
}

/** `refusal` is one sentence for the client. */
export type Authentication = { readonly user: AuthenticatedUser } | { readonly refusal: string }

/** Finds the user of a request, by whatever the host trusts: a session cookie, a signed token. Must not read the body. */
export type Authenticate = (request: Request) => Authentication | Promise<Authentication>

/** `user` and its digest are undefined for an operator. */
export type Caller = (
  | { readonly user: AuthenticatedUser; readonly digest: string }
  | { readonly user?: undefined; readonly digest?: undefined }
) & {
  /** Of an API key; undefined: all. */
  readonly scopes?: ReadonlySet<Scope>
  /** Names of the workflows that an API key is limited to; undefined: all. */
  readonly workflows?: ReadonlySet<string>
  /** Names the client in limits; undefined for one that is known by its address only. */
  readonly client?: string
  /** Names the client in records; undefined for one that is known by its address only. */
  readonly actor?: string
}

export const operator: Caller = {}

/** The caller as the server knows it, beside the name that a request gives: `key:job`, `token`, `user:<digest>`; `open` without access rules. */
export const viaOf = ({ actor, client, user }: Caller): string =>
  (user === undefined ? actor : client) ?? "open"

/** Dies when the host gives a user without an id, to which no run could be bound. */
export const authenticated = (
  request: Request,
  authenticate: Authenticate,
): Effect.Effect<Caller, Problem> =>
  Effect.flatMap(
    Effect.promise(async () => authenticate(request)),
    (found): Effect.Effect<Caller, Problem> => {
      if ("refusal" in found) {
        return Effect.fail(new Problem({ code: "unauthorized", detail: found.refusal }))
      }
      const { user } = found
      const digest = typeof user?.id === "string" ? userDigest(user) : undefined
      return digest === undefined
        ? Effect.die(new TypeError("authenticate must give a user whose `id` is a text"))
        : Effect.succeed({ user, digest, client: `user:${digest}`, actor: "user" })
    },
  )

/** Whether the run exists for the caller. */
export const mayReach = (caller: Caller, record: RunRecord): boolean =>
  mayUse(caller, record.workflow) &&
  (caller.digest === undefined || record.userDigest === caller.digest)

/** Whether the workflow exists for the caller. */
export const mayUse = ({ workflows }: Pick<Caller, "workflows">, name: string): boolean =>
  workflows === undefined || workflows.has(name)

/** The workflows that a list for the caller is made of: one that is asked for, those of an API key, or all (undefined). */
export const listedWorkflows = (
  caller: Caller,
  asked: string | undefined,
): ReadonlyArray<string | undefined> => {
  if (asked !== undefined) return mayUse(caller, asked) ? [asked] : []
  return caller.workflows === undefined ? [undefined] : [...caller.workflows]
}

/** The events of a run as the caller gets them: a user those that are for them, an operator all. */
export const eventsFor = (
  { user }: Caller,
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<RunEvent> =>
  user === undefined ? events : events.flatMap((event) => userEvent(event) ?? [])

export const requireOperator = ({ user }: Caller): Effect.Effect<void, Problem> =>
  user === undefined ? Effect.void : Effect.fail(forbidden)

const forbidden = new Problem({
  code: "forbidden",
  detail: "only the holder of the token may do this",
})

/** Of what is about all workflows. */
export const requireAllWorkflows = (caller: Caller): Effect.Effect<void, Problem> =>
  caller.workflows === undefined ? requireOperator(caller) : Effect.fail(forbidden)

/** Characters of the digest in front of the name. */
const SCOPE_CHARS = 32

/** The session's name in the store: equal names of two users are two sessions. */
export const sessionFor = ({ digest }: Caller, session: string): string => {
  if (digest === undefined) return session
  const scope = `${digest.slice(0, SCOPE_CHARS)}/`
  return session.startsWith(scope) ? session : `${scope}${session}`
}
