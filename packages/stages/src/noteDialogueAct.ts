/** Notes that a message asks for nothing new, such as thanks: metrics count how users respond. */
import * as Effect from "effect/Effect"
import type { StageContext } from "@planloom/plugin/effect"
import { languageOf } from "@planloom/plugin/texts"
import { dialogueAct, grammarOf } from "@planloom/planning/reading"

export const noteDialogueAct = (
  message: string,
  context: Pick<StageContext, "note" | "user">,
): Effect.Effect<unknown> => {
  const language = languageOf(context.user)
  const [act] = (language === undefined ? ["en", "es"] : [language]).flatMap(
    (tag) => dialogueAct(message, grammarOf(tag)) ?? [],
  )
  return act === undefined ? Effect.void : context.note("dialogue_act", { act })
}
