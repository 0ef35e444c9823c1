/** Two requests → what differs, in a few lines. */
import type { Json } from "@planloom/plugin/effect"
import { toYaml } from "@planloom/language"

/** Lines of each side that are shown. */
const MOST = 12

/** Characters of a line that are shown, and how many of them before the first that differs. */
const WIDTH = 160
const BEFORE = 40

/** `-` is what was recorded, `+` what is asked now; the lines that both begin and end with are left out. */
export const difference = (recorded: Json, now: Json): string => {
  const before = toYaml(recorded).split("\n")
  const after = toYaml(now).split("\n")
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    end++
  }
  const from = Math.max(0, alike(before[start] ?? "", after[start] ?? "") - BEFORE)
  const shown = (mark: string, lines: ReadonlyArray<string>) => {
    const changed = lines.slice(start, lines.length - end)
    const more = changed.length - MOST
    return [
      ...changed
        .slice(0, MOST)
        .map((line, index) => `${mark} ${clipped(line, index === 0 ? from : 0)}`),
      ...(more > 0 ? [`${mark} … and ${more} more lines`] : []),
    ]
  }
  const around = start > 0 ? [`  ${clipped(before[start - 1]!, 0)}`] : []
  return [...around, ...shown("-", before), ...shown("+", after)].join("\n")
}

/** How many characters two lines have in common at their beginning. */
const alike = (one: string, other: string): number => {
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

/** Short lines whole. */
const clipped = (line: string, from: number): string => {
  if (line.length <= WIDTH) return line
  const end = from + WIDTH
  return `${from > 0 ? "…" : ""}${line.slice(from, end)}${end < line.length ? "…" : ""}`
}
