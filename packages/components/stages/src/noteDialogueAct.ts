/** Notes and returns that a message asks for nothing new, such as thanks: metrics count how users respond. */
import * as Effect from "effect/Effect"
import type { StageContext } from "@planloom/plugin/effect"
import { languageOf } from "@planloom/plugin/texts"
import { dialogueAct, grammarOf, type DialogueAct } from "@planloom/planning/reading"

export const noteDialogueAct = (
  message: string,
  context: Pick<StageContext, "note" | "user">,
): Effect.Effect<DialogueAct | undefined> => {
  const language = languageOf(context.user)
  const [act] = (language === undefined ? ["en", "es"] : [language]).flatMap(
    (tag) => dialogueAct(message, grammarOf(tag)) ?? [],
  )
  return act === undefined
    ? Effect.succeed(undefined)
    : Effect.as(context.note("dialogue_act", { act }), act)
}
