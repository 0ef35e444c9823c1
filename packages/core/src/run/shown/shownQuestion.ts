/** A question of a stage on its way through the gates of those that wrote it. */
import * as Effect from "effect/Effect"
import type { CompiledValue } from "@planloom/expression"
import type { Json, JsonObject, Question, StageFailed } from "@planloom/plugin/effect"
import { canonicalJson } from "@planloom/schema"
import { blocked } from "./blocked.ts"
import type { Shown } from "./ShownSite.ts"

/**
 * Fails with class `blocked` if a review blocks a text in it, or changes one in the schema of the answer: an answer that
 * fits could not be given.
 */
export const shownQuestion = (
  question: Question,
  { id, written }: { readonly id: string; readonly written: CompiledValue },
  review: <A extends Json>(value: A) => Effect.Effect<Shown<A>, StageFailed>,
): Effect.Effect<Question, StageFailed> => {
  const { default: otherwise, message, options, schema = true, show } = question
  const texts = {
    message,
    ...(options === undefined ? {} : { options }),
    ...(otherwise === undefined ? {} : { default: otherwise }),
    ...(show === undefined ? {} : { show }),
  }
  const words = isWritten(schema as Json, written) ? [] : wordsOf(schema as Json)
  return Effect.flatMap(
    Effect.all([review(texts), words.length === 0 ? none : review(words)]),
    ([{ isBlocked, value }, passed]) =>
      isBlocked || (passed !== undefined && passed.value !== words)
        ? Effect.fail(blocked(`the question of "${id}"`))
        : Effect.succeed({ ...question, ...value }),
  )
}

const none = Effect.succeed(undefined)

/** Keywords of a schema whose values are words to people. */
const WORDED = ["enum", "const", "title", "description", "default", "examples", "pattern"]

/** The words of a schema: names of properties, values that it permits, texts about them. */
const wordsOf = (schema: Json): ReadonlyArray<Json> => {
  if (typeof schema !== "object" || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(wordsOf)
  return Object.entries(schema).flatMap(([key, value]) =>
    WORDED.includes(key)
      ? [value as Json]
      : MAPS.includes(key) && typeof value === "object" && value !== null
        ? [...Object.keys(value), ...Object.values(value as JsonObject).flatMap(wordsOf)]
        : wordsOf(value as Json),
  )
}

/** Keywords that hold schemas by names that people choose. */
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]

/** Whether a value stands in the file of the workflow, without an expression. */
const isWritten = (value: Json, { constant, entries = [], evaluate }: CompiledValue): boolean =>
  entries.some(([, one]) => isWritten(value, one)) ||
  (constant && canonicalJson(evaluate({})) === canonicalJson(value))
