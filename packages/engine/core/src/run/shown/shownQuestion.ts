/** A question of a stage on its way through the gates of those that wrote it. */
import * as Effect from "effect/Effect"
import type { CompiledValue } from "@planloom/expression"
import type { Json, Question, StageFailed } from "@planloom/plugin/effect"
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

/** The texts in a schema, and its names, beside the vocabulary of JSON Schema. */
const wordsOf = (schema: Json): ReadonlyArray<Json> => {
  if (typeof schema === "string") return VOCABULARY.has(schema) ? [] : [schema]
  if (typeof schema !== "object" || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(wordsOf)
  return Object.entries(schema).flatMap(([key, value]) => [
    ...wordsOf(key),
    ...wordsOf(value as Json),
  ])
}

const VOCABULARY: ReadonlySet<string> = new Set(
  `array boolean integer null number object string type enum const properties required items prefixItems
  additionalProperties patternProperties propertyNames minProperties maxProperties minItems maxItems uniqueItems contains
  minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if
  then else title description default examples`.split(/\s+/),
)

/** Whether a value stands in the file of the workflow, without an expression. */
const isWritten = (value: Json, { constant, entries = [], evaluate }: CompiledValue): boolean =>
  entries.some(([, one]) => isWritten(value, one)) ||
  (constant && canonicalJson(evaluate({})) === canonicalJson(value))
