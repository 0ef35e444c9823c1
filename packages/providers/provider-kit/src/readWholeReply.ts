/** Reads a reply that is not streamed with the reader of streamed chunks. */
import * as Effect from "effect/Effect"
import type { ModelFailed, ModelPart, ModelReply } from "@planloom/plugin/effect"
import { toModelFailed, unfinishedReply, unknownUsage } from "./ProviderError.ts"
import { isProviderError, tryRead, type PartReader } from "./readParts.ts"

/** For services whose whole reply has the shape of one chunk. */
export const readWholeReply = <Chunk>(
  model: string,
  whole: Chunk,
  reader: PartReader<Chunk>,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const parts = tryRead(() => reader.read(whole))
  return isProviderError(parts)
    ? Effect.fail(toModelFailed(model, parts))
    : endWholeReply(model, parts, reader)
}

/** Reads the end of a reply whose parts have been read. */
export const endWholeReply = (
  model: string,
  parts: ReadonlyArray<ModelPart>,
  reader: Pick<PartReader<never>, "end">,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const rest = tryRead(() => reader.end() ?? unfinishedReply)
  return isProviderError(rest)
    ? Effect.fail(toModelFailed(model, rest))
    : Effect.succeed(collectReply([...parts, ...rest]))
}

/** Combines the parts of one reply. */
export const collectReply = (parts: ReadonlyArray<ModelPart>): Omit<ModelReply, "model"> => {
  const finish = parts.findLast((part) => part.type === "finish")
  const text = (type: "text" | "reasoning") =>
    parts.map((part) => (part.type === type ? part.text : "")).join("")
  return {
    text: text("text"),
    reasoning: text("reasoning"),
    toolCalls: parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : [])),
    finish: finish?.reason ?? "error",
    usage: finish?.usage ?? unknownUsage,
    ...(finish?.requestId === undefined ? {} : { requestId: finish.requestId }),
  }
}
