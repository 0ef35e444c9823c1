/** A tool that is withheld because its server has changed what a model or a person reads of it. */
import type { ListedTool } from "./cleanTool.ts"

export interface WithheldTool {
  readonly name: string
  /** The parts that differ, for a sentence: `description`. */
  readonly changed: ReadonlyArray<string>
  /** As it was approved: shown in place of what changed. */
  readonly approved?: ListedTool
}

/** The reason why it may not be called, in one sentence. */
export const withheldReason = ({ approved, changed }: WithheldTool): string =>
  approved === undefined
    ? `its ${changed.join(" and ")}; planloom mcp approve writes a new one`
    : `its ${changed.join(" and ")} changed since it was approved; planloom mcp approve shows the difference`

/** The form of it that may be read. */
export const readableForm = (
  { digest, name, raw }: ListedTool,
  { approved }: WithheldTool,
): ListedTool => approved ?? { raw, name, summary: name, params: true, digest }

/** The visible parts of a tool, by the members that hold them. */
const parts: ReadonlyArray<readonly [part: string, members: ReadonlyArray<keyof ListedTool>]> = [
  ["name", ["raw"]],
  ["title", ["title"]],
  ["description", ["summary", "when_to_use"]],
  ["params", ["params"]],
  ["result", ["result"]],
]

export const changedParts = (before: ListedTool, after: ListedTool): ReadonlyArray<string> => {
  const changed = parts.flatMap(([part, members]) =>
    members.some((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
      ? [part]
      : [],
  )
  return changed.length === 0 ? ["hints"] : changed
}
