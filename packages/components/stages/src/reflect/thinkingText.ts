/** The workflow's own sentence for a user while a plan is improved. */
import type { StageContext } from "@planloom/plugin/effect"
import { languageOf, wordingIn } from "@planloom/plugin/texts"
import type { ReflectInput } from "./ReflectInput.ts"
import { strategies } from "./Reflection.ts"

/** The workflow's words for a strategy, in the user's language. */
export const standardText = (strategy: string, input: ReflectInput, context: StageContext) => {
  const own = languageOf(context.user)
  const language = input.language === "" ? own : input.language
  const declared = input.strategies[strategy]
  if (declared !== undefined) return wordingIn(declared.thinking, language)
  const name = Object.hasOwn(strategies, strategy) ? strategy : "extend"
  // Without a model a search is relaxed each time: the same sentence again would say nothing.
  const again = name === "relax" && input.round > 0 ? "_again" : ""
  return context.text(`thinking_${name}${again}`, language === undefined ? {} : { language })
}
