/** The sentence that a user reads while a plan is improved. */
import type { StageContext, Tool } from "@planloom/plugin/effect"
import { languageOf, wordingIn } from "@planloom/plugin/texts"
import { propertiesOf, type Plan } from "@planloom/planning"
import type { ReflectInput } from "./ReflectInput.ts"
import { strategies } from "./Reflection.ts"

/** Longer ones are not one or two sentences. */
export const MAX_MESSAGE_CHARACTERS = 300

/** The workflow's words for a strategy, in the user's language. */
export const standardText = (strategy: string, input: ReflectInput, context: StageContext) => {
  const own = languageOf(context.user)
  const language = input.language === "" ? own : input.language
  const declared = input.strategies[strategy]
  if (declared !== undefined) return wordingIn(declared.thinking, language)
  const name = Object.hasOwn(strategies, strategy) ? strategy : "extend"
  return context.text(`thinking_${name}`, language === undefined ? {} : { language })
}

/**
 * Whether a sentence of a model holds none of the workflow's own names: no name of a tool or param, id of a step, code or
 * JSON. Words of the request may stand in it.
 */
export const isPlainSentence = (
  message: string,
  request: string,
  plans: ReadonlyArray<Plan>,
  tools: ReadonlyArray<Tool>,
): boolean => {
  if (message === "" || Array.from(message).length > MAX_MESSAGE_CHARACTERS) return false
  if (/[{}[\]`<>=\\]|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\w\(\)|\p{L}\.\p{L}/u.test(message))
    return false
  const said = new Set(wordsOf(request))
  const names = new Set(
    [
      ...tools.flatMap((tool) => [tool.name, ...propertiesOf(tool).map(([name]) => name)]),
      ...plans.flatMap(({ steps }) => steps.map(({ id }) => id)),
    ].map((name) => name.toLowerCase()),
  )
  return wordsOf(message).every((word) => said.has(word) || !names.has(word))
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
