/** The hooks of a stage or a workflow, resolved and in order, by point. */
import type { AnyHook, JsonObject, PointId } from "@planloom/plugin/effect"
import type { CompiledExpression, CompiledValue } from "@planloom/expression"
import type { Validate } from "@planloom/schema"

/** Undefined at a point without hooks. */
export type HookPlan = { readonly [P in PointId]?: PointHooks }

/** The plan around the model calls of a reviewer, by its id. */
export type ReviewerHooks = (reviewer: string) => HookPlan | undefined

export interface PointHooks {
  /** In the order in which they change the draft. */
  readonly transforms: ReadonlyArray<BoundHook>
  /** `observe` and `review`: they run together, after the transforms. */
  readonly readers: ReadonlyArray<BoundHook>
  /** Ids of all of them, in order; a cassette records them with a call. */
  readonly ids: ReadonlyArray<string>
}

export interface CallFilter {
  /** The section, tool or model that the call is for. */
  readonly of?: ReadonlyArray<string>
  readonly mode?: ReadonlyArray<string>
}

/** A hook with its options in one place. */
export interface BoundHook {
  readonly hook: AnyHook
  /** Whether it runs is decided for each call. */
  readonly when: CompiledExpression | undefined
  /** Names of sections, tools or models, and modes, to which its calls are limited; compared before `when`. */
  readonly only: CallFilter | undefined
  /** The same for every call. */
  readonly constant: JsonObject | undefined
  /** Evaluated for each call, unless `constant`. */
  readonly with: CompiledValue
  readonly validate: Validate
  /** Milliseconds. */
  readonly timeout: number
  readonly onError: "skip" | "fail"
}
