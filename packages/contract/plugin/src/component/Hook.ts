/** Hooks: small changes, observations and reviews at named points of a run. */
import type { Effect } from "effect/Effect"
import type { CallContext } from "./CallContext.ts"
import type { Failure } from "../run/Failure.ts"
import type { PointId, Points } from "./HookPoint.ts"
import type { JsonObject, JsonSchema } from "../value/Json.ts"
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
  /** Runs around model calls of reviewers, too; without it, only where its use names them. */
  readonly reviewers?: boolean
  /** The sections of prompts that its options name. `check` reports those that do not exist, and texts that get lost. */
  readonly edits?: (options: JsonObject) => ReadonlyArray<SectionEdit>
}

/** A section that an option of a hook names. */
export interface SectionEdit {
  readonly section: string
  /** `append` keeps its text, `replace` does not, `swap` puts another section in its place, which it has to `use`. */
  readonly does: "append" | "replace" | "swap" | "use"
  /** Path of the option in `with`. */
  readonly at: ReadonlyArray<string | number>
}

/** A result at once, or an effect. */
type Result<A> = A | Effect<A, Failure>

type Run<P extends PointId, With, A> = (
  draft: Points[P]["draft"],
  context: CallContext<With>,
) => Result<A>

type Transform<P extends PointId, With> = Run<P, With, Points[P]["patch"] | void>

/**
 * A hook. A `transform` returns the fields it changes, in turn with the others of its point; `observe` and `review`
 * run together after them and change nothing. A finding of `block` fails the call. `also` has its functions at
 * further points: it runs at each of them, unless its use names some.
 */
export type Hook<P extends PointId = PointId, With = JsonObject> = HookBase<P> &
  (
    | {
        readonly kind: "transform"
        readonly run: Transform<P, With>
        readonly also?: { readonly [Q in PointId]?: Transform<Q, With> }
      }
    | {
        readonly kind: "observe"
        readonly run: Run<P, With, void>
        readonly also?: { readonly [Q in PointId]?: Run<Q, With, void> }
      }
    | {
        readonly kind: "review"
        readonly run: Run<P, With, Finding>
        readonly also?: { readonly [Q in PointId]?: Run<Q, With, Finding> }
      }
  )

/** A hook at any point. */
export type AnyHook = { [P in PointId]: Hook<P, any> }[PointId]

/** Declares a hook; `With` must agree with `input`. */
export const hook = <P extends PointId, With = JsonObject>(one: Hook<P, With>): AnyHook =>
  one as unknown as AnyHook

/** Calls that a hook runs around, by the names of what they are for; every entry must match. */
export interface HookFilter {
  /** Ids of stages. */
  readonly stage?: ReadonlyArray<string>
  /** Sections of prompts. */
  readonly section?: ReadonlyArray<string>
  /** Modes of prompts. */
  readonly mode?: ReadonlyArray<string>
  readonly tool?: ReadonlyArray<string>
  /** As a workflow names them: `anthropic/claude-sonnet-4-5`. */
  readonly model?: ReadonlyArray<string>
  /** Ids of reviewers: the hook runs around their model calls. */
  readonly reviewer?: ReadonlyArray<string>
}

/** A hook in use by a workflow or a stage; what it leaves out is as the hook declares it. */
export interface HookUse extends Pick<
  HookBase<PointId>,
  "onError" | "phase" | "before" | "after" | "priority"
> {
  /** Id of a hook component, or a hook of the section itself. */
  readonly use: string | AnyHook
  /** Options; expressions in it are evaluated for each call. */
  readonly with?: JsonObject
  /** CEL over the stage's variables, `user` and `draft`; the hook is skipped unless it is true. */
  readonly when?: string
  readonly timeout?: string
  /** Those of its points at which it runs; all unless given. */
  readonly points?: ReadonlyArray<PointId>
  /** Compared before `when` is evaluated. */
  readonly only?: HookFilter
  /** Location in the value of the section, for diagnostics. */
  readonly at?: ReadonlyArray<string | number>
}
