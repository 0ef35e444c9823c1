/** Finds the workflow input that takes chat messages, and reads the other inputs from the flags. */
import type { Loaded } from "../run/recording.ts"
import type { Json, JsonObject } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"
import { readUser } from "../run/readUser.ts"
import { describeType, typesIn } from "../run/schemaText.ts"

export interface ChatInputs {
  /** Name of the input that takes the message. */
  readonly message: string
  /** Values of the other inputs, the same in every turn. */
  readonly inputs: JsonObject
  /** The user of every turn. */
  readonly user: JsonObject | undefined
}

export const readChatInputs = (
  loaded: Loaded,
  flags: InputFlags & { readonly messageInput: string | undefined },
): Effect.Effect<ChatInputs, Refused> =>
  Effect.gen(function* () {
    const { definition, pipeline, sources } = loaded
    if (pipeline.session === undefined) {
      return yield* problem(
        `the workflow "${definition.name}" has no session`,
        [
          `declare in ${[...sources.keys()][0]} what a turn records:`,
          "session:",
          `  request: "\${{ inputs.${firstText(definition.inputs) ?? "message"} }}"`,
          `  assistant: ${JSON.stringify(answerOf(definition))}`,
        ].join("\n"),
      )
    }
    const message = flags.messageInput ?? pipeline.session.message
    if (message === undefined) {
      return yield* usage(
        "which input takes the message? `session.request` does not read exactly one",
        `--message-input ${firstText(definition.inputs) ?? "name"}`,
      )
    }
    const schema = definition.inputs[message]
    if (schema === undefined) return yield* usage(`the workflow has no input "${message}"`)
    const types = typesIn(schema)
    if (types.size > 0 && !types.has("string")) {
      return yield* usage(
        `the input "${message}" takes ${describeType(schema)}, not text`,
        "--message-input names another",
      )
    }
    const { [message]: _, ...others } = definition.inputs
    const inputs = yield* readInputs(definition.name, others, flags)
    return { message, inputs, user: yield* readUser(loaded, flags) }
  })

/** The first output that is text, else the output of the last stage. */
const answerOf = ({ outputs, stages }: Loaded["definition"]): Json =>
  Object.values(outputs).find(({ schema }) => typesIn(schema).has("string"))?.value ??
  `\${{ stages.${stages.at(-1)?.id ?? "answer"}.output }}`

const firstText = (inputs: Loaded["definition"]["inputs"]): string | undefined =>
  Object.keys(inputs).find((name) => typesIn(inputs[name]!).has("string"))
