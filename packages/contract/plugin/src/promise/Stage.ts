/** Stage kinds in promise style. */
import type { FromSchema } from "@planloom/schema"
import { withDefaults } from "@planloom/schema/defaults"
import type { Failure } from "../run/Failure.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type {
  KnownSchemas,
  StageContext as EffectContext,
  StageKind as EffectStageKind,
  Strategy as EffectStrategy,
} from "../component/Stage.ts"
import type { Async, AsyncStep, CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { failureOrDefect } from "./Thrown.ts"
import { translate } from "./translate.ts"

/**
 * What a stage may use; every effect that is not a pure function of recorded values is here and is recorded. Await each
 * call: one that still runs when the function returns is interrupted. While `ask` waits, the function is ended, and it
 * starts again with the answer: recorded calls are not repeated, and no `catch` or `finally` sees the wait.
 */
export interface StageContext extends Async<Omit<EffectContext, "step">>, AsyncStep, CallSignal {}

/** `input` is the stage's `with`, evaluated and validated. */
export type Strategy<Input extends JsonSchema, Output> = (
  input: FromSchema<Input, true>,
  context: StageContext,
) => OutputOf<Output> | PromiseLike<OutputOf<Output>>

type OutputOf<Output> = Output extends JsonSchema ? FromSchema<Output> : Json

type OutputSchema = JsonSchema | ((literals: JsonObject, known: KnownSchemas) => JsonSchema)

/** A stage kind. Implement `run`, or `model` and/or `mechanical`. */
export interface StageKind<
  Input extends JsonSchema = JsonSchema,
  Output extends OutputSchema = OutputSchema,
> extends Omit<EffectStageKind, "input" | "output" | "run" | "model" | "mechanical" | "foresees"> {
  /** JSON Schema (an object) of `with`. Unknown keys are errors. `default`s are filled in. */
  readonly input: Input
  /** JSON Schema of the output, or a function of those parts of `with` that are plain values in the YAML. */
  readonly output: Output
  readonly run?: Strategy<Input, Output>
  readonly model?: Strategy<Input, Output>
  readonly mechanical?: Strategy<Input, Output>
  /** The output of every attempt, where `with` alone decides it: `planloom plan` then knows it. A pure function. */
  readonly foresees?: (input: FromSchema<Input, true>) => Json
}

/** Declares a stage kind. The schemas type its input and output. */
export const stageKind = <const Input extends JsonSchema, const Output extends OutputSchema>(
  kind: StageKind<Input, Output>,
): EffectStageKind => {
  const { mechanical, model, run, ...described } = kind
  // What an expression gives may lack members, too.
  const strategy = (work: Strategy<any, any>) => inEffect(kind.input, work)
  return {
    ...described,
    ...(run === undefined ? {} : { run: strategy(run) }),
    ...(model === undefined ? {} : { model: strategy(model) }),
    ...(mechanical === undefined ? {} : { mechanical: strategy(mechanical) }),
  }
}

const inEffect =
  (schema: JsonSchema, run: Strategy<any, any>): EffectStrategy =>
  (input: unknown, context: EffectContext) =>
    fromAsync<Json, Failure>(
      (call) => run(withDefaults(schema, input as Json), translate(context, call) as StageContext),
      failureOrDefect,
    )
