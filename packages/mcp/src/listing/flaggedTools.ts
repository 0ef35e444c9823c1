/** Phrases in the texts of a tool that instruct a model, rather than describe the tool. */
import type { ListedTool } from "./cleanTool.ts"

export interface FlaggedTool {
  readonly name: string
  /** Kinds of phrases: `override`, `exfiltration`. */
  readonly signs: ReadonlyArray<string>
}

/** Tools whose texts have such phrases. The phrases are loaded with the first list of a process. */
export const flaggedTools = async (
  tools: ReadonlyArray<ListedTool>,
): Promise<ReadonlyArray<FlaggedTool>> => {
  const { attacksIn } = await import("@planloom/review-kit/injection")
  return tools.flatMap((tool) => {
    const signs = new Set(attacksIn(textsOf(tool).join("\n\n")).map(({ what }) => what))
    return signs.size === 0 ? [] : [{ name: tool.name, signs: [...signs] }]
  })
}

/** All that a model reads of a tool. */
const textsOf = ({ params, result, summary, title, when_to_use: when }: ListedTool) => [
  ...[title, summary, when].flatMap((text) => text ?? []),
  ...stringsIn(params),
  ...stringsIn(result),
]

const stringsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...stringsIn(one),
  ])
}
