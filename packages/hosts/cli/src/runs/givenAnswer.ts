/** Reads an answer from the flags of `planloom runs answer`, or asks for it at the terminal. */
import type { Json, JsonSchema, Wait } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { problem, usage, type Refused } from "../Refused.ts"
import { askQuestions } from "../run/answer/askQuestions.ts"
import { readNamedValues, type Declared } from "../run/namedValues.ts"
import { isYesOrNo, readAnswer } from "../run/answer/readAnswer.ts"
import { answerFlags } from "../run/answer/waitText.ts"

/** The flags that give an answer. */
export interface GivenFlags {
  readonly value: string | undefined
  /** `name=value` of each field of an answer that is an object. */
  readonly field: ReadonlyArray<string>
  readonly yes: boolean
  readonly no: boolean
  readonly comment: string | undefined
}

export const givenAnswer = (wait: Wait, flags: GivenFlags): Effect.Effect<Json, Refused> => {
  const { comment, field, no, value, yes } = flags
  if ([yes, no, value !== undefined, field.length > 0].filter(Boolean).length > 1) {
    return Effect.fail(usage("--yes, --no, --field and --value exclude each other"))
  }
  if (yes || no) {
    if (isYesOrNo(wait.schema)) {
      return Effect.succeed({ approved: yes, ...(comment === undefined ? {} : { comment }) })
    }
    return typeof wait.schema === "object" && wait.schema["type"] === "boolean"
      ? Effect.succeed(yes)
      : Effect.fail(
          usage(
            "this question expects more than yes or no",
            `${answerFlags(wait)}: ${wait.message}`,
          ),
        )
  }
  if (field.length > 0) return fromFields(wait, field)
  if (value !== undefined) return checked(wait, value.trim(), `"${value}"`)
  const person = askQuestions(false, (speak) => speak())
  return Effect.flatMap(person.answer(wait), (given) =>
    given === undefined
      ? Effect.fail(usage("no answer given", answerFlags(wait)))
      : Effect.succeed(given),
  )
}

const fromFields = (wait: Wait, texts: ReadonlyArray<string>): Effect.Effect<Json, Refused> =>
  Effect.gen(function* () {
    const declared = declaredFields(wait.schema)
    if (declared === undefined) {
      return yield* usage(
        "--field is for answers with several fields",
        `${answerFlags(wait)}: ${wait.message}`,
      )
    }
    const values = yield* readNamedValues(texts, declared, {
      name: "--field",
      noun: "field",
      owner: "the question",
    })
    return yield* checked(wait, JSON.stringify(values), "this")
  })

const declaredFields = (schema: JsonSchema): Declared | undefined => {
  const { properties = {} } = (typeof schema === "object" ? schema : {}) as {
    readonly properties?: Declared
  }
  return Object.keys(properties).length === 0 ? undefined : properties
}

const checked = (wait: Wait, text: string, name: string): Effect.Effect<Json, Refused> =>
  Effect.flatMap(
    Effect.promise(() => readAnswer(wait, text)),
    (read): Effect.Effect<Json, Refused> =>
      read.mismatch === undefined
        ? Effect.succeed(read.value)
        : Effect.fail(problem(`${name} is not a valid answer: ${read.mismatch}`, wait.message)),
  )
