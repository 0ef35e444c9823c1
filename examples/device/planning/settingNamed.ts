/** Which setting a request wants switched, and whether a tool is for it. */
import type { Tool } from "@planloom/plugin/effect"
import { asLine, folded, small, stemsOf, wordsOf } from "../language/words.ts"

/** Where the name of what is switched stands: "turn on X", "turn X off", "disable X", "X on". */
const places: ReadonlyArray<RegExp> = [
  /\b(?:turn|switch|put|shut)\s+(?:on|off)\s+(.+)/,
  /\b(?:turn|switch|put|shut|toggle|flip)\s+(.+?)\s+(?:back\s+)?(?:on|off)\b/,
  /\b(?:enabl|disabl|activat|deactivat|toggl|flip)(?:e[ds]?|ing|ping)?\s+(.+)/,
  /^(.+?)\s+(?:on|off)\W*(?:please\W*)?$/,
]

/** Where the name ends and circumstances begin. */
const after =
  /[,.;:!?]|\b(?:for|so|because|please|when|while|until|if|in|at|to|with|and|then|again|now|right|i|we|it|on|off)\b/

/** Words that say that it is a setting, not which. */
const any = new Set(
  "phone device tablet setting settings switch function feature connection signal back".split(" "),
)

/** The words that name what is to be switched; undefined where none do. */
export const settingNamed = (text: string): string | undefined => {
  const said = folded(asLine(text)).replace(/\bwi[- ]fi\b/g, "wifi")
  for (const place of places) {
    const found = place.exec(said)?.[1]?.split(after)[0] ?? ""
    const words = wordsOf(found).filter((word) => !small.has(word) && !any.has(word))
    if (words.length > 0) return words.join(" ")
  }
  return undefined
}

/** Shorter words are no beginning of others. */
const LEAST = 4

const alike = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= LEAST && (a.startsWith(b) || b.startsWith(a)))

const stemsKnown = new WeakMap<Tool, ReadonlyArray<string>>()

/** Stems of all words that a tool is described or asked for with. */
const stemsFor = (tool: Tool): ReadonlyArray<string> => {
  const { examples = [], keywords = [], name, summary, when_to_use = "" } = tool
  const known = stemsKnown.get(tool) ?? [
    ...new Set(
      [name.replaceAll("_", " "), summary, when_to_use, ...keywords, ...examples].flatMap(stemsOf),
    ),
  ]
  stemsKnown.set(tool, known)
  return known
}

/** Whether each of the words is one that the tool is described or asked for with. */
export const isFor = (tool: Tool, setting: string): boolean => {
  const known = stemsFor(tool)
  return stemsOf(setting).every((stem) => known.some((one) => alike(one, stem)))
}
