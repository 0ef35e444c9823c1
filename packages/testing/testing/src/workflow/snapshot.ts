/** Goldens of a test's outputs: where they are kept, and their text. */
import { basename, dirname, join } from "node:path"
import type { Json, JsonObject } from "@planloom/plugin/effect"

/** `a/b.test.yaml` and `north` → `a/snapshots/b.north.json`. The name cannot lead out of that folder. */
export const snapshotPath = (file: string, name: string): string => {
  const stem = basename(file).replace(/(\.test)?\.ya?ml$/, "")
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, "_")
  return join(dirname(file), "snapshots", `${stem}.${safe}.json`)
}

/** Keys sorted, so that their order in a result means nothing. */
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
