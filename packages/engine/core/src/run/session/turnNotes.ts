/** What the tool calls of a turn did and were about, in lines for a later summary. */
import type { CallRecord } from "@planloom/plugin/effect"

const MOST_NOTES = 8

/** Calls of writing tools with their outcome, and the entities of the others. */
export const turnNotes = (
  calls: ReadonlyArray<CallRecord>,
  writes: (tool: string) => boolean,
): ReadonlyArray<string> => {
  const notes = calls.flatMap(({ entities = [], ok, summary, tool }) => {
    if (writes(tool)) return [ok ? `${tool}: ${summary}` : `${tool} failed: ${summary}`]
    return entities.map(({ id, name, type }) =>
      name === id ? `${type} ${id}` : `${type} ${name} (${id})`,
    )
  })
  return [...new Set(notes)].slice(-MOST_NOTES)
}
