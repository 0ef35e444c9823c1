/** Handles text that did not end by itself: fails, notes it, or asks the model to continue it. */
import * as Effect from "effect/Effect"
import { isCut, ModelFailed, type Ask, type ModelReply } from "@planloom/plugin/effect"
import { sumUsage } from "@planloom/plugin/facts"
import { joinTexts, lastWords } from "./joinTexts.ts"
import type { ReplySite } from "./ReplySite.ts"

/** Calls that continue one reply, besides the first call. */
const MAX_CONTINUATIONS = 4

export interface CutReply {
  readonly site: ReplySite
  readonly ask: Ask
  readonly onCut: "fail" | "note" | "continue"
  /** One recorded, budgeted call to the model `of`; undefined where a continuation could not be reviewed. */
  readonly again: ((ask: Ask, of: string) => Effect.Effect<ModelReply, ModelFailed>) | undefined
}

/** The end of a reply that did not end by itself, in words. */
export const cutText = ({ finish }: Pick<ModelReply, "finish">): string =>
  finish === "paused"
    ? "was left unfinished by its service"
    : "was cut at its maximum length (max_tokens)"

/** Of a reply that was cut. */
export const completeReply = (
  cut: CutReply,
  reply: ModelReply,
): Effect.Effect<ModelReply, ModelFailed> => {
  if (cut.onCut === "fail") return Effect.fail(cutOff(reply))
  return cut.onCut === "continue" && cut.again !== undefined && reply.text.trim() !== ""
    ? continued(cut, cut.again, reply, 1)
    : noted(cut, reply, "")
}

const cutOff = (reply: ModelReply): ModelFailed =>
  new ModelFailed({
    class: "invalid_output",
    model: reply.model,
    message: `the reply ${cutText(reply)}, and on_cut is fail`,
  })

const noted = ({ site }: CutReply, reply: ModelReply, why: string): Effect.Effect<ModelReply> => {
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "cut_reply",
    data: { model: reply.model, characters: reply.text.length },
    audience: "user",
    text: `the reply of ${reply.model} ${cutText(reply)}${why}`,
  })
  return Effect.succeed(reply)
}

const continued = (
  cut: CutReply,
  again: NonNullable<CutReply["again"]>,
  reply: ModelReply,
  count: number,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { ask } = cut
  const content = `Your reply was cut. Continue it: repeat its last words, "${lastWords(reply.text)}", and write on from there. Write nothing else.`
  const asked: Ask = {
    ...ask,
    messages: [
      ...ask.messages,
      { role: "assistant", content: reply.text },
      { role: "user", content },
    ],
  }
  return Effect.matchEffect(again(asked, reply.model), {
    // The text so far is better than none.
    onFailure: (failure) => noted(cut, reply, `; its continuation failed (${failure.class})`),
    onSuccess: (next) => {
      const text = joinTexts(reply.text, next.text)
      const joined = { ...next, text, usage: sumUsage(reply.usage, next.usage) }
      if (!isCut(next.finish)) return Effect.succeed(joined)
      return count < MAX_CONTINUATIONS && text.length > reply.text.length
        ? continued(cut, again, joined, count + 1)
        : noted(cut, joined, ` after ${count} ${count === 1 ? "continuation" : "continuations"}`)
    },
  })
}
