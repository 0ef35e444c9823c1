/** A text and the one that was kept: the same, or where they part. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

/** Undefined when `now` is what the file holds; else what differs. With `update` the file is written instead. */
export const compareGolden = async (
  path: string,
  now: string,
  update: boolean,
): Promise<string | undefined> => {
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (kept === now) return undefined
  if (update) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, now)
    return undefined
  }
  return kept === undefined
    ? `there is no ${path} yet`
    : `not what ${path} holds\n${difference(kept, now)}`
}

const MOST_LINES = 10

/** What lies between the lines both begin with and the lines both end with, at most a screen of it. */
const difference = (kept: string, now: string): string => {
  const before = kept.split("\n")
  const after = now.split("\n")
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const lines = (from: ReadonlyArray<string>, sign: string) => {
    const changed = from.slice(head, from.length - tail)
    const shown = changed.slice(0, MOST_LINES).map((line) => `${sign} ${line}`)
    return changed.length > MOST_LINES
      ? [...shown, `${sign} … ${changed.length - MOST_LINES} more lines`]
      : shown
  }
  return [`line ${head + 1}:`, ...lines(before, "-"), ...lines(after, "+")].join("\n")
}
