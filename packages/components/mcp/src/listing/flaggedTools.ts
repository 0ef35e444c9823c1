/** Phrases that instruct a model, in the texts of tools that should describe them, and in documents. */
import type { Json } from "@planloom/schema"
import type { ListedTool } from "./cleanTool.ts"

export interface FlaggedTool {
  readonly name: string
  /** Kinds of phrases: `override`, `exfiltration`. */
  readonly signs: ReadonlyArray<string>
}

/** Tools whose texts have such phrases. */
export const flaggedTools = async (
  tools: ReadonlyArray<ListedTool>,
): Promise<ReadonlyArray<FlaggedTool>> => {
  const flagged = await Promise.all(
    tools.map(async (tool) => ({ name: tool.name, signs: await signsOf(textsOf(tool)) })),
  )
  return flagged.filter(({ signs }) => signs.length > 0)
}

/** Kinds of such phrases in the texts of a value. */
export const signsIn = (value: Json): Promise<ReadonlyArray<string>> =>
  signsOf(stringsIn(value, false))

/** The phrases are loaded with the first list or document of a process. */
const signsOf = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { attacksIn } = await import("@planloom/review-kit/injection")
  return [...new Set(attacksIn(texts.join("\n\n")).map(({ what }) => what))]
}

/** All that a model reads of a tool. */
const textsOf = ({ params, result, summary, title, when_to_use: when }: ListedTool) => [
  ...[title, summary, when].flatMap((text) => text ?? []),
  ...stringsIn(params),
  ...stringsIn(result),
]

const stringsIn = (value: unknown, hasNames = true): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(hasNames && !Array.isArray(value) ? [key] : []),
    ...stringsIn(one, hasNames),
  ])
}
