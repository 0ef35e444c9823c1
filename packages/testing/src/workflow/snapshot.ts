/** Goldens of a test's outputs: kept beside the test file, compared byte for byte, rewritten on request. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Json, JsonObject } from "@planloom/plugin"

/** `a/b.test.yaml` and `north` → `a/snapshots/b.north.json`. The name cannot lead out of that folder. */
export const snapshotPath = (file: string, name: string): string => {
  const stem = basename(file).replace(/(\.test)?\.ya?ml$/, "")
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, "_")
  return join(dirname(file), "snapshots", `${stem}.${safe}.json`)
}

/** Outputs as text: keys sorted, so that their order in a result means nothing. */
export const snapshotText = (outputs: JsonObject): string =>
  `${JSON.stringify(sorted(outputs), undefined, 2)}\n`

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry as Json)]),
  )
}

/** Undefined when the outputs are as kept; else what differs. With `update` they are kept as they are now. */
export const compareSnapshot = async (
  path: string,
  outputs: JsonObject,
  update: boolean,
): Promise<string | undefined> => {
  const now = snapshotText(outputs)
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
    ? `there is no ${path}; --update writes it`
    : `the outputs are not those in ${path}; --update rewrites it\n${difference(kept, now)}`
}

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

const MOST_LINES = 10
