/** Hooks: small changes, observations and reviews at named points of a run. */
import type { Effect } from "effect/Effect"
import type { CallContext } from "./CallContext.ts"
import type { Failure } from "./Failure.ts"
import type { PointId, Points } from "./HookPoint.ts"
import type { JsonObject, JsonSchema } from "./Json.ts"
import type { Finding } from "./Finding.ts"

/** Hooks of an earlier phase run first. */
export const hookPhases = ["early", "normal", "late"] as const

interface HookBase<P extends PointId> {
  readonly id: string
  readonly summary: string
  readonly point: P
  /** JSON Schema of its `with`. */
  readonly input?: JsonSchema
  /** Default `5s`. A hook that takes longer fails. */
  readonly timeout?: string
  /** What a failure means unless the workflow says otherwise: `skip` (default) leaves the draft unchanged. */
  readonly onError?: "skip" | "fail"
  readonly phase?: (typeof hookPhases)[number]
  /** Ids of hooks that this one runs before or after. */
  readonly before?: ReadonlyArray<string>
  readonly after?: ReadonlyArray<string>
  /** Lower runs first; default 100. */
  readonly priority?: number
}

/** A result at once, or an effect. */
type Result<A> = A | Effect<A, Failure>

/**
 * A hook. A `transform` returns the fields it changes, in turn with the others of its point; `observe` and `review`
 * run together after them and change nothing. A finding of `block` fails the call.
 */
export type Hook<P extends PointId = PointId, With = JsonObject> = HookBase<P> &
  (
    | {
        readonly kind: "transform"
        readonly run: (
          draft: Points[P]["draft"],
          context: CallContext<With>,
        ) => Result<Points[P]["patch"] | void>
      }
    | {
        readonly kind: "observe"
        readonly run: (draft: Points[P]["draft"], context: CallContext<With>) => Result<void>
      }
    | {
        readonly kind: "review"
        readonly run: (draft: Points[P]["draft"], context: CallContext<With>) => Result<Finding>
      }
  )

/** A hook at any point. */
export type AnyHook = { [P in PointId]: Hook<P, any> }[PointId]

/** Declares a hook; `With` must agree with `input`. */
export const hook = <P extends PointId, With = JsonObject>(one: Hook<P, With>): AnyHook =>
  one as unknown as AnyHook

/** A hook in use by a workflow or a stage. */
export interface HookUse {
  /** Id of a hook component, or a hook of the section itself. */
  readonly use: string | AnyHook
  /** Options; expressions in it are evaluated for each call. */
  readonly with?: JsonObject
  /** CEL over the stage's variables, `user` and `draft`; the hook is skipped unless it is true. */
  readonly when?: string
  readonly timeout?: string
  readonly onError?: "skip" | "fail"
  /** Location in the value of the section, for diagnostics. */
  readonly at?: ReadonlyArray<string | number>
}
