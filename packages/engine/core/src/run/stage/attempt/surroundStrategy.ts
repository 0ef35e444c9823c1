/** Runs a strategy between the hooks of its stage. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Failure,
  type Json,
  type JsonObject,
  type Strategy,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import { validatorOf } from "@planloom/schema/ajv"
import type { CallHooks } from "../../../hook/CallHooks.ts"
import { formatIssues } from "@planloom/schema"
import { ownTextModule } from "../../lateModules.ts"
import type { AttemptContext } from "./AttemptContext.ts"
import type { KindWork } from "../../../pipeline/Pipeline.ts"
import type { KindOccurrence } from "../Occurrence.ts"

/** The output of a strategy. What a model writes passes the gate with its call, any other text here. */
export const startStrategy = (
  { node, strategy: name }: KindOccurrence,
  strategy: Strategy,
  input: Json,
  session: AttemptContext,
): Effect.Effect<Json, Failure> => {
  session.input = input
  const { gate, work } = node
  const { text } = work
  if (gate === undefined || name !== "mechanical" || text === undefined) {
    return started(work, strategy, input, session)
  }
  const output = Effect.suspend(() => started(work, strategy, input, session))
  return Effect.flatMapEager(ownTextModule(), ({ gatedOutput }) =>
    gatedOutput(session, text, input, output),
  )
}

const started = (
  { kind }: KindWork,
  strategy: Strategy,
  input: Json,
  session: AttemptContext,
): Effect.Effect<Json, Failure> => {
  const output = strategy(input as never, session)
  return isEffect(output)
    ? output
    : Effect.die(
        new TypeError(
          `the stage kind "${kind.id}" returned no Effect; declare one with async functions by stageKind of @planloom/plugin`,
        ),
      )
}

/** Unlike `Effect.isEffect`, which every caller shares, this one sees few classes of objects, and is fast. */
const isEffect = (output: unknown): output is Effect.Effect<Json, Failure> =>
  typeof output === "object" && output !== null && Effect.TypeId in output

/**
 * The attempt with the hooks of its stage around it. What they make of `with` is recorded apart, so that an attempt
 * that a question or a kill interrupts starts again with the same.
 */
export const surroundStrategy = (
  given: KindOccurrence,
  strategy: Strategy,
  input: JsonObject,
  session: AttemptContext,
  hooks: CallHooks,
): Effect.Effect<Json, Failure> => {
  const { uses } = given.node.work
  const name = session.attemptPath
  const work = hooks.has("before_stage")
    ? Effect.flatMap(hookedInput(given, input, session, hooks), (changed) =>
        startStrategy(given, strategy, changed, session),
      )
    : startStrategy(given, strategy, input, session)
  return hooks.has("after_stage")
    ? Effect.flatMap(work, (output) =>
        Effect.map(
          hooks.run("after_stage", { uses, output }, { name }),
          ({ output: changed }) => changed,
        ),
      )
    : work
}

const hookedInput = (
  { node: { id, work } }: KindOccurrence,
  input: JsonObject,
  session: AttemptContext,
  hooks: CallHooks,
): Effect.Effect<JsonObject, Failure> => {
  const { kind, uses } = work
  const name = below(session.attemptPath, "hooks", "before_stage")
  const made = Effect.suspend(() =>
    Effect.map(hooks.run("before_stage", { uses, with: input }, { name }), (draft) => draft.with),
  )
  return Effect.flatMap(
    session.record(
      name,
      made,
      () => ({ uses, with: input, hooks: hooks.ids("before_stage") }),
      true,
    ),
    (changed) => {
      const issues = validatorOf(kind.input)(changed)
      return issues.length === 0
        ? Effect.succeed(changed)
        : Effect.fail(
            new StageFailed({
              class: "invalid_request",
              message: `\`with\` of stage "${id}" does not fit after its hooks: ${formatIssues(issues)}`,
            }),
          )
    },
  )
}
