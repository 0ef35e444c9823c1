/** A reply in one piece, read by the reader of pieces. */
import * as Effect from "effect/Effect"
import type { ModelFailed, ModelPart, ModelReply } from "@planloom/plugin"
import { isTrouble, readable, type PartReader } from "./readParts.ts"
import { failureOf, unfinished, untold } from "./Trouble.ts"

/** For services whose whole reply has the shape of one piece. */
export const foldParts = <Piece>(
  model: string,
  whole: Piece,
  reader: PartReader<Piece>,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const parts = readable(() => reader.read(whole))
  if (isTrouble(parts)) return Effect.fail(failureOf(model, parts))
  const rest = readable(() => reader.end() ?? unfinished)
  return isTrouble(rest)
    ? Effect.fail(failureOf(model, rest))
    : Effect.succeed(replyOf([...parts, ...rest]))
}

/** What the parts of one reply add up to. */
export const replyOf = (parts: ReadonlyArray<ModelPart>): Omit<ModelReply, "model"> => {
  const finish = parts.findLast((part) => part.type === "finish")
  const text = (type: "text" | "reasoning") =>
    parts.map((part) => (part.type === type ? part.text : "")).join("")
  return {
    text: text("text"),
    reasoning: text("reasoning"),
    toolCalls: parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : [])),
    finish: finish?.reason ?? "other",
    usage: finish?.usage ?? untold,
    ...(finish?.requestId === undefined ? {} : { requestId: finish.requestId }),
  }
}
