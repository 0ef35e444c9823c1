/** Resolves the reader of a stage; tools and replies of its intents. */
import { StageFailed } from "@planloom/plugin/effect"
import type { Reader, ReaderIntent, StageContext, Tool } from "@planloom/plugin/effect"
import { text } from "@planloom/stage-kit"

/** `with.reader` of a kind. */
export const readerName = {
  ...text,
  minLength: 1,
  description: "the reader, contributed by a plugin, that defines the intents of messages",
} as const

export const readerOf = ({ readers }: StageContext, id: string): Reader | StageFailed => {
  const found = readers.find((reader) => reader.id === id)
  if (found !== undefined) return found
  const ids = readers.map((reader) => reader.id).join(", ")
  return new StageFailed({
    class: "invalid_request",
    message: `there is no reader ${id}; the plugins bring ${ids || "none"}`,
  })
}

export const intentOf = ({ intents }: Reader, id: string): ReaderIntent | undefined =>
  intents.find((intent) => intent.id === id)

/** Whether a tool serves the intent. */
export const needsTool = (reader: Reader, intent: string): boolean =>
  (intentOf(reader, intent)?.tools ?? "none") !== "none"

/** The tools whose group is an intent of the reader. */
export const offeredTools = (reader: Reader, tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> =>
  tools.filter(({ group }) => group !== undefined && needsTool(reader, group))

/** The default reply of an intent. */
export const replyFor = (reader: Reader, intent: string): string =>
  intentOf(reader, intent)?.reply ?? ""
