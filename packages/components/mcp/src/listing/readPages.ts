/** Reads all pages of a server's tools or prompts. A list that never ends, or repeats itself, keeps what arrived. */
import type { Json } from "@planloom/schema"
import type { RawResult } from "../connection/Connection.ts"
import { McpFailed } from "../McpFailed.ts"

/** As many as no honest server needs. */
const MAX_PAGES = 100
const MAX_ENTRIES = 2000

export interface RawList {
  readonly entries: ReadonlyArray<Json>
  /** Milliseconds for which the server says that the list holds. */
  readonly ttlMs: number | undefined
  /** The reason why there may be more. */
  readonly truncated?: string
}

/** Rejects with a `McpFailed` if the first page is no list: an unknown answer is not taken for an empty list. */
export const readPages = async (
  server: string,
  what: "prompts" | "tools",
  page: (cursor: string | undefined) => Promise<RawResult>,
): Promise<RawList> => {
  const entries: Array<Json> = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  let ttlMs: number | undefined
  for (let count = 1; ; count++) {
    const result = await page(cursor)
    const { nextCursor: next, [what]: listed, ttlMs: ttl } = result
    if (!Array.isArray(listed)) {
      if (count === 1) {
        throw new McpFailed(
          "invalid_output",
          `the server "${server}": page 1 of its list has no ${what}`,
        )
      }
      return { entries, ttlMs, truncated: `page ${count} of its list has no ${what}` }
    }
    entries.push(...(listed as ReadonlyArray<Json>))
    if (typeof ttl === "number") ttlMs = Math.min(ttlMs ?? ttl, ttl)
    // An empty text is a cursor, too.
    if (typeof next !== "string") return { entries, ttlMs }
    if (cursors.has(next)) {
      return { entries, ttlMs, truncated: `its list repeats itself after page ${count}` }
    }
    if (count === MAX_PAGES || entries.length >= MAX_ENTRIES) {
      return {
        entries: entries.slice(0, MAX_ENTRIES),
        ttlMs,
        truncated: `its list has no end after page ${count}`,
      }
    }
    cursors.add(next)
    cursor = next
  }
}
