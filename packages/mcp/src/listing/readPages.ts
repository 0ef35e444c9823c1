/** Reads all pages of a server's tools. A list that never ends, or repeats itself, keeps what arrived. */
import type { Json } from "@planloom/schema"
import type { RawResult } from "../connection/Connection.ts"

/** As many as no honest server needs. */
const MAX_PAGES = 100
const MAX_TOOLS = 2000

export interface RawList {
  readonly tools: ReadonlyArray<Json>
  /** Milliseconds for which the server says that the list holds. */
  readonly ttlMs: number | undefined
  /** The reason why there may be more. */
  readonly truncated?: string
}

export const readPages = async (
  page: (cursor: string | undefined) => Promise<RawResult>,
): Promise<RawList> => {
  const tools: Array<Json> = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  let ttlMs: number | undefined
  for (let count = 1; ; count++) {
    const result = await page(cursor)
    const { nextCursor: next, tools: listed, ttlMs: ttl } = result
    if (!Array.isArray(listed)) {
      return { tools, ttlMs, truncated: `page ${count} of its list has no tools` }
    }
    tools.push(...(listed as ReadonlyArray<Json>))
    if (typeof ttl === "number") ttlMs = Math.min(ttlMs ?? ttl, ttl)
    // An empty text is a cursor, too.
    if (typeof next !== "string") return { tools, ttlMs }
    if (cursors.has(next)) {
      return { tools, ttlMs, truncated: `its list repeats itself after page ${count}` }
    }
    if (count === MAX_PAGES || tools.length >= MAX_TOOLS) {
      return {
        tools: tools.slice(0, MAX_TOOLS),
        ttlMs,
        truncated: `its list has no end after page ${count}`,
      }
    }
    cursors.add(next)
    cursor = next
  }
}
