/** Plans with the bracket faults of models, also the same one in every step: each is read as intended or rejected. */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { cases, seedOf } from "../../../../.config/cases.ts"
import { randomOf, type Random } from "./faults/described.ts"
import { parse } from "../src/parse.ts"
import type { Json } from "../src/Salvage.ts"

const TEXTS = [
  "Search flights",
  "查询天气",
  "mail Bob, then wait",
  "see [1] and {2}",
  "it's urgent",
]

const argument = (random: Random, depth: number): Json => {
  const kind = random.below(depth < 2 ? 5 : 3)
  if (kind === 0) return random.below(100)
  if (kind === 1) return [random.one(TEXTS), random.one(TEXTS)]
  if (kind === 2) return random.one(TEXTS)
  if (kind === 3) return { name: random.one(TEXTS), value: argument(random, depth + 1) }
  return [{ id: random.below(9), note: random.one(TEXTS) }]
}

const step = (random: Random, at: number): Json => ({
  step: `${at + 1}. ${random.one(TEXTS)}`,
  tool: random.one(["search", "mail", ""]),
  param: Object.fromEntries(
    Array.from({ length: random.below(4) }, (_, slot) => [`arg${slot}`, argument(random, 0)]),
  ),
})

const planOf = (random: Random): Json => {
  const steps = Array.from({ length: 2 + random.below(5) }, (_, at) => step(random, at))
  return random.one<Json>([
    steps,
    { plan: steps },
    { goal: random.one(TEXTS), steps, note: random.one(TEXTS) },
  ])
}

/** Private characters in place of brackets in strings, so that a fault hits none of them. */
const HIDDEN = "\ue000\ue001\ue002\ue003"
const hide = (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) =>
    quoted.replace(/[{}[\]]/g, (bracket) => HIDDEN["{}[]".indexOf(bracket)]!),
  )
const show = (text: string) =>
  text.replace(/[\ue000-\ue003]/g, (char) => "{}[]"[HIDDEN.indexOf(char)]!)

const all = (pattern: RegExp, by: string) => (text: string) =>
  text.replace(new RegExp(pattern, "g"), by)
const one = (pattern: RegExp, by: string) => (text: string, random: Random) => {
  const found = [...text.matchAll(new RegExp(pattern, "g"))]
  const at = random.below(Math.max(1, found.length))
  let count = 0
  return text.replace(new RegExp(pattern, "g"), (match) =>
    count++ === at ? match.replace(pattern, by) : match,
  )
}

const NEXT = String.raw`(\s*,\s*\{\s*"step")`
const faults: { readonly [name: string]: (text: string, random: Random) => string } = {
  "a closer lost after every param": all(new RegExp(String.raw`\}\s*\}${NEXT}`), "}$1"),
  "a closer lost after one param": one(new RegExp(String.raw`\}\s*\}${NEXT}`), "}$1"),
  "a closer lost and a trailing comma": (text, random) =>
    one(new RegExp(String.raw`\}\s*\}${NEXT}`), "}$1")(text, random).replace(
      /\}(\s*\][^\]]*)$/,
      "},$1",
    ),
  "a closer too many after every step": all(new RegExp(String.raw`\}${NEXT}`), "}}$1"),
  "a closer too many after one step": one(new RegExp(String.raw`\}${NEXT}`), "}}$1"),
  "a closer too many after the last step": (text) => text.replace(/\}(\s*\][^\]]*)$/, "}}$1"),
  "a closer lost after the last step": (text) => text.replace(/\}\s*(\][^\]]*)$/, "$1"),
  "the list not closed": (text) => text.replace(/\]([^\]]*)$/, "$1"),
  "the list closed twice": (text) => text.replace(/\]([^\]]*)$/, "]]$1"),
  "the list closed as an object": (text) => text.replace(/\]([^\]]*)$/, "}$1"),
  "the list closed before its last step": (text) => text.replace(/\}(\s*)\]([^\]]*)$/, "]$1}$2"),
  "a step not opened": one(/,\s*\{(\s*"step")/, ",$1"),
  "a param closed as a list": one(new RegExp(String.raw`\}(\s*\})${NEXT}`), "]$1$2"),
}

describe("a plan with", () => {
  it.each(Object.keys(faults))("%s comes back whole, or is rejected", (name) => {
    const changed: Array<string> = []
    let tried = 0
    let right = 0
    for (let number = 1; number <= cases(60); number++) {
      const random = randomOf(seedOf(number))
      const plan = planOf(random)
      const text = JSON.stringify(plan, undefined, random.below(2) * 2)
      const broken = show(faults[name]!(hide(text), random))
      if (broken === text) continue
      tried++
      const result = parse(broken)
      if (result.ok && isDeepStrictEqual(result.value, plan)) right++
      else if (result.ok)
        changed.push(
          `${broken}\n=> ${JSON.stringify(result.value)} ${result.repairs.map(({ kind }) => kind).join()}`,
        )
    }
    expect(changed).toEqual([])
    expect(right / tried).toBeGreaterThanOrEqual(0.95)
  })
})
