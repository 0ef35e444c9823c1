/** A run's events without what differs from run to run: ids, times, durations, folders, progress. */
import type { Json, RunEvent } from "@planloom/plugin/effect"

/** Fields of an event that hold a time or a duration of the engine's own clock. */
const times = new Set(["at", "ms", "delay"])

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * Times and durations become 0, random ids `<id:n>` in order of appearance (the run's own is
 * `<id:1>`), each of `folders` `<folder>`. Progress is left out: how often it is emitted depends on how fast
 * the machine is. What remains is numbered anew and depends on the workflow and its inputs only.
 * A number inside an output stays what it is, whatever it is called.
 */
export const normaliseEvents = (
  events: ReadonlyArray<RunEvent>,
  ...folders: ReadonlyArray<string>
): ReadonlyArray<RunEvent> => {
  const ids = new Map<string, string>()
  const text = (value: string): string =>
    folders
      .reduce((replaced, folder) => replaced.replaceAll(folder, "<folder>"), value)
      .replace(uuid, (id) => {
        const known = ids.get(id) ?? `<id:${ids.size + 1}>`
        ids.set(id, known)
        return known
      })
  const plain = (value: Json): Json => {
    if (typeof value === "string") return text(value)
    if (Array.isArray(value)) return value.map(plain)
    if (value === null || typeof value !== "object") return value
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [text(name), plain(entry as Json)]),
    )
  }
  return events
    .filter(({ type }) => type !== "Progressed" && type !== "ToolProgressed")
    .map((event, seq) => {
      const normalized = Object.entries(event).map(([name, entry]) => [
        name,
        times.has(name) ? 0 : plain(entry as Json),
      ])
      return { ...Object.fromEntries(normalized), seq } as RunEvent
    })
}
