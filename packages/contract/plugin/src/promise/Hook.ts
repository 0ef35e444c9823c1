/** Hooks and subagents in promise style, and validators. */
import type { FromSchema } from "@planloom/schema"
import { withDefaults } from "@planloom/schema/defaults"
import type { CallContext as EffectContext } from "../component/CallContext.ts"
import type { Failure } from "../run/Failure.ts"
import type { Finding } from "../component/Finding.ts"
import type { AnyHook, Hook as EffectHook } from "../component/Hook.ts"
import type { PointId, Points } from "../component/HookPoint.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { Known, Problem } from "../component/Reference.ts"
import type {
  DeclaredRules,
  Draft,
  Subagent as EffectSubagent,
  Validator as EffectValidator,
} from "../component/Review.ts"
import type { Async, AsyncStep, CallSignal, ModelClient } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { failureOrDefect } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** The context of a hook or a subagent. It runs inside a recorded call, and never on a replay of it. */
export interface CallContext<With = unknown>
  extends Async<Omit<EffectContext, "step" | "with">>, AsyncStep, CallSignal {
  /** Its options, with expressions evaluated. */
  readonly with: With
}

type Run<P extends PointId, With extends JsonSchema, Result> = (
  draft: Points[P]["draft"],
  context: CallContext<FromSchema<With, true>>,
) => Result | PromiseLike<Result>

/**
 * A hook. A `transform` returns the fields it changes; `observe` and `review` change nothing. A finding of `block` fails
 * the call.
 */
export type Hook<P extends PointId = PointId, With extends JsonSchema = JsonSchema> = Omit<
  EffectHook<P>,
  "also" | "input" | "kind" | "run"
> & {
  /** JSON Schema of its `with`. `default`s are filled in. */
  readonly input?: With
} & (
    | {
        readonly kind: "transform"
        readonly run: Run<P, With, Points[P]["patch"] | void>
        readonly also?: { readonly [Q in PointId]?: Run<Q, With, Points[Q]["patch"] | void> }
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

/** Declares a hook. `input` types its `with`. */
export const hook = <
  P extends PointId,
  const With extends JsonSchema = { readonly type: "object" },
>(
  one: Hook<P, With>,
): AnyHook =>
  ({
    ...one,
    run: inEffect(one.input, one.run as Run<P, With, unknown>),
    ...(one.also && {
      also: Object.fromEntries(
        Object.entries(one.also).map(([point, run]) => [point, inEffect(one.input, run as never)]),
      ),
    }),
  }) as unknown as AnyHook

const inEffect =
  <P extends PointId, With extends JsonSchema>(
    schema: With | undefined,
    run: Run<P, With, unknown>,
  ) =>
  (draft: never, context: EffectContext) =>
    fromAsync<unknown, Failure>(
      (call) => run(draft, translate(context, call, filledIn(schema, context)) as never),
      failureOrDefect,
    )

const filledIn = (schema: JsonSchema = true, context: EffectContext) => ({
  with: withDefaults(schema, context.with as Json),
})

/** The functions of a reviewer that read its options, with defaults filled in. */
const reading = (
  {
    asks,
    check,
    pending,
    rules,
  }: Partial<Pick<EffectSubagent, "asks" | "check" | "rules"> & Pick<EffectValidator, "pending">>,
  schema: JsonSchema = true,
) => {
  const fill = (options: JsonObject) => withDefaults(schema, options)
  return {
    ...(asks && { asks: (options: JsonObject) => asks(fill(options)) }),
    ...(check && { check: (options: JsonObject, known: Known) => check(fill(options), known) }),
    ...(pending && {
      pending: (text: string, options: JsonObject) => pending(text, fill(options)),
    }),
    ...(typeof rules === "function" && {
      rules: (options: JsonObject, files: EffectContext["files"]) => rules(fill(options), files),
    }),
  }
}

/** A reviewer that may use a model. */
export interface Subagent<With extends JsonSchema = JsonSchema> extends Omit<
  EffectSubagent,
  "check" | "input" | "review" | "rules"
> {
  /** JSON Schema of its `with`. `default`s are filled in. */
  readonly input?: With
  readonly rules?: DeclaredRules<FromSchema<With, true>>
  /** Problems of a `with` that fits `input`, for `planloom check`: what no schema can say. */
  readonly check?: (options: FromSchema<With, true>, known: Known) => ReadonlyArray<Problem>
  readonly review: (
    draft: Draft,
    context: CallContext<FromSchema<With, true>> & { readonly model: ModelClient },
  ) => Finding | PromiseLike<Finding>
}

/** Declares a subagent. `input` types its `with`. */
export const subagent = <const With extends JsonSchema = { readonly type: "object" }>(
  one: Subagent<With>,
): EffectSubagent => ({
  ...(one as unknown as EffectSubagent),
  ...reading(one as unknown as EffectSubagent, one.input),
  review: (draft, context) =>
    fromAsync<Finding, Failure>(
      (call) => one.review(draft, translate(context, call, filledIn(one.input, context)) as never),
      failureOrDefect,
    ),
})

/** A deterministic check of a text: no model, no effect. */
export interface Validator<With extends JsonSchema = JsonSchema> extends Omit<
  EffectValidator,
  "check" | "input" | "rules" | "validate"
> {
  /** JSON Schema of its `with`. `default`s are filled in. */
  readonly input?: With
  readonly rules?: DeclaredRules<FromSchema<With, true>>
  /** Problems of a `with` that fits `input`, for `planloom check`: what no schema can say. */
  readonly check?: (options: FromSchema<With, true>, known: Known) => ReadonlyArray<Problem>
  readonly validate: (text: string, options: FromSchema<With, true>, draft: Draft) => Finding
}

/** Declares a validator. `input` types its options. */
export const validator = <const With extends JsonSchema = { readonly type: "object" }>(
  one: Validator<With>,
): EffectValidator => ({
  ...(one as unknown as EffectValidator),
  ...reading(one as unknown as EffectValidator, one.input),
  validate: (text, options, draft) =>
    one.validate(text, withDefaults(one.input ?? true, options) as never, draft),
})
