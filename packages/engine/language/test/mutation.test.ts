/** Hundreds of broken workflows: `check` never crashes and always gives a position. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parseDocument as parseYaml, stringify } from "yaml"
import { report } from "../src/source/report.ts"
import { checkText } from "./checkText.ts"

const yamlIn = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".yaml"))
        .map((name) => readFileSync(join(folder, name), "utf8"))
    : []

const texts = [
  ...yamlIn(join(import.meta.dirname, "golden", "ok")),
  ...yamlIn(join(import.meta.dirname, "..", "..", "..", "workflows")),
]

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d_2b_79_f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

type Random = () => number
const pick = <A>(random: Random, from: ReadonlyArray<A>): A =>
  from[Math.floor(random() * from.length)]!

const nonsense = [null, 0, -1.5, true, "", "nonsense", "${{", "${{ a..b }}", [], {}, [[]], { a: 1 }]

interface Holder {
  [key: string]: unknown
}

/** Every mapping and list of a value. */
const holdersOf = (value: unknown): ReadonlyArray<Holder> =>
  typeof value === "object" && value !== null
    ? [value as Holder, ...Object.values(value).flatMap(holdersOf)]
    : []

const onValue =
  (change: (holder: Holder, key: string, random: Random) => void) =>
  (text: string, random: Random): string => {
    const value: unknown = parseYaml(text).toJS()
    const holders = holdersOf(value).filter((holder) => Object.keys(holder).length > 0)
    const holder = pick(random, holders)
    change(holder, pick(random, Object.keys(holder)), random)
    return stringify(value)
  }

const mutations: { readonly [name: string]: (text: string, random: Random) => string } = {
  "a key dropped": onValue((holder, key) => {
    delete holder[key]
  }),
  "a value of another type": onValue((holder, key, random) => {
    holder[key] = pick(random, nonsense)
  }),
  "a key misspelt": onValue((holder, key) => {
    holder[`${key}x`] = holder[key]
    delete holder[key]
  }),
  "a text mangled": onValue((holder, key, random) => {
    if (typeof holder[key] === "object") return
    const text = String(holder[key])
    const at = Math.floor(random() * text.length)
    holder[key] =
      text.slice(0, at) + pick(random, ["}", "(", '"', ".", "x", " && "]) + text.slice(at + 1)
  }),
  "a reference broken": (text, random) => {
    const names = [...text.matchAll(/\b(?:stages|inputs|iter)\.(\w+)/g)]
    const found = pick(random, names)
    return found === undefined
      ? text
      : `${text.slice(0, found.index)}${found[0]}_gone${text.slice(found.index + found[0].length)}`
  },
  "bytes changed": (text, random) => {
    let changed = text
    for (let count = 0; count < 3; count++) {
      const at = Math.floor(random() * changed.length)
      const byte = String.fromCharCode(Math.floor(random() * 256))
      changed = changed.slice(0, at) + byte + changed.slice(at + Math.floor(random() * 3))
    }
    return changed
  },
  "the end cut off": (text, random) => text.slice(0, Math.floor(random() * text.length)),
  "two lines swapped": (text, random) => {
    const lines = text.split("\n")
    const [a, b] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)]
    ;[lines[a], lines[b]] = [lines[b]!, lines[a]!]
    return lines.join("\n")
  },
}

describe("a broken workflow", () => {
  it.each(Object.keys(mutations))("with %s is reported with a position, never a crash", (name) => {
    let reported = 0
    for (let seed = 0; seed < 80; seed++) {
      const random = seeded(seed * 7919 + name.length)
      const text = mutations[name]!(pick(random, texts), random)
      const { diagnostics, sources } = checkText("mutated.yaml", text)
      for (const one of diagnostics) {
        expect(one.message).not.toBe("")
        expect(one.message).not.toMatch(/undefined|\[object /)
        expect(one.start.line).toBeGreaterThan(0)
        expect(one.end.offset).toBeGreaterThanOrEqual(one.start.offset)
        expect(one.end.offset).toBeLessThanOrEqual(sources.get(one.file)!.text.length)
      }
      for (const format of ["pretty", "json", "github", "sarif"] as const) {
        expect(report(diagnostics, { format, sources })).not.toMatch(/ {4}at .*\.ts:/)
      }
      if (diagnostics.length > 0) reported++
    }
    // Some mutations leave a good workflow: another order of lines, a character in a description.
    expect(reported).toBeGreaterThan(30)
  })
})
