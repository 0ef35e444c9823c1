/** Plan-like documents that lost a closing bracket between the items of a list, alone and with ordinary faults beside it. */

import { isDeepStrictEqual } from "node:util"
import { parse, type Schema } from "@planloom/salvage"
import { jsonrepair } from "./contenders.ts"
import { type Dice, diceOf, type Fields, seen, unseen, type Value } from "./plans.ts"

interface Broken {
  readonly text: string
  readonly truth: Value
  /** What was taken out: one closer, two braces, or any two neighbours. */
  readonly lost: "one" | "braces" | "two"
  /** The other fault, `plain` without one. */
  readonly beside: string
  readonly schema: Fields
}

const shapes = { seen, unseen }

/** A document as it is written: brackets, and everything between them. */
type Piece = {
  readonly close: boolean
  readonly list: boolean
  text: string
  readonly next: boolean
}

interface Style {
  readonly lines: boolean
  readonly quote: (text: string) => string
  readonly name: (text: string) => string
  readonly literal: (value: Value) => string
  readonly trailing: string
}

const json: Style = {
  lines: false,
  quote: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  literal: (value) => JSON.stringify(value),
  trailing: "",
}
const single = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
const python = (value: Value) =>
  value === null
    ? "None"
    : value === true
      ? "True"
      : value === false
        ? "False"
        : JSON.stringify(value)

const styles: { readonly [name: string]: Partial<Style> } = {
  plain: {},
  "trailing commas": { trailing: "," },
  "single quotes": { quote: single, name: single },
  "Python literals": { literal: python },
  "a Python literal": { literal: python, quote: single, name: single },
  "bare names": { name: (text) => text },
}
const around: { readonly [name: string]: (text: string) => string } = {
  "a fence": (text) => `Here is the plan:\n\n\`\`\`json\n${text}\n\`\`\`\nIt has [all] steps.`,
  prose: (text) => `The plan is ${text} as you asked.`,
  "a cut end": (text) => text.replace(/[\s\]}]+$/, ""),
}

const piecesOf = (value: Value, style: Style): Array<Piece> => {
  const pieces: Array<Piece> = []
  const say = (text: string) => pieces.push({ close: false, list: false, text, next: false })
  const feed = (depth: number) => (style.lines ? `\n${"  ".repeat(depth)}` : "")
  const write = (part: Value, depth: number, next: boolean): void => {
    if (typeof part === "string") return void say(style.quote(part))
    if (typeof part !== "object" || part === null) return void say(style.literal(part))
    const list = Array.isArray(part)
    say(list ? "[" : "{")
    const entries = Object.entries(part) as Array<[string, Value]>
    for (const [index, [name, item]] of entries.entries()) {
      say(feed(depth + 1) + (list ? "" : `${style.name(name)}: `))
      const last = index === entries.length - 1
      write(item, depth + 1, list && !last)
      if (!last) say(style.lines ? "," : ", ")
      else say(style.trailing)
    }
    if (entries.length > 0) say(feed(depth))
    pieces.push({ close: true, list, text: list ? "]" : "}", next })
  }
  write(value, 0, false)
  return pieces
}

/** Takes closers out of a run of them that ends an item with another one behind it; `undefined` where there is none. */
const lose = (
  pieces: ReadonlyArray<Piece>,
  lost: Broken["lost"],
  dice: Dice,
): string | undefined => {
  const runs: Array<Array<number>> = []
  for (const [at, piece] of pieces.entries()) {
    if (!piece.close || !piece.next) continue
    const run = [at]
    for (let before = at - 1; before >= 0; before--) {
      const text = pieces[before]!.text.trim()
      if (pieces[before]!.close) run.unshift(before)
      else if (text !== "" && text !== ",") break
    }
    runs.push(run)
  }
  const choices = runs.flatMap((run) =>
    lost === "one" ? run.map((at) => [at]) : run.slice(1).map((at, index) => [run[index]!, at]),
  )
  const open = choices.filter(
    (choice) => lost !== "braces" || choice.every((at) => pieces[at]!.text === "}"),
  )
  if (open.length === 0) return undefined
  const gone = new Set(dice.one(open))
  return pieces.map(({ text }, at) => (gone.has(at) ? "" : text)).join("")
}

const DRAFT = "https://json-schema.org/draft/2020-12/schema"

/** What a careful caller would ask for: the names and types of this document, and no others. */
export const schemaOf = (value: Value): Fields => ({ $schema: DRAFT, ...ruleOf([value]) })

const ruleOf = (values: ReadonlyArray<Value>): Fields => {
  const kinds = new Set(values.map((value) => kindOf(value)))
  if (kinds.size !== 1) return {}
  const [kind] = kinds
  if (kind === "array") {
    const items = (values as ReadonlyArray<ReadonlyArray<Value>>).flat()
    return items.length === 0 ? { type: "array" } : { type: "array", items: ruleOf(items) }
  }
  if (kind !== "object") return { type: kind! }
  const fields = values as ReadonlyArray<Fields>
  const names = [...new Set(fields.flatMap((each) => Object.keys(each)))]
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        ruleOf(fields.filter((each) => Object.hasOwn(each, name)).map((each) => each[name]!)),
      ]),
    ),
    required: names.filter((name) => fields.every((each) => Object.hasOwn(each, name))),
    additionalProperties: false,
  }
}

const kindOf = (value: Value): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** The same ones each time. */
export const brokenPlans = (set: keyof typeof shapes, count: number): ReadonlyArray<Broken> => {
  const found: Array<Broken> = []
  const besides = [...Object.keys(styles), ...Object.keys(around)]
  for (let seed = 1; found.length < count; seed++) {
    const dice = diceOf(seed + (set === "seen" ? 0 : 2_000_003))
    const truth = shapes[set](dice)
    const beside = dice.below(3) === 0 ? "plain" : dice.one(besides)
    const lost = dice.one<Broken["lost"]>(["one", "one", "one", "braces", "two"])
    const style = { ...json, ...styles[beside], lines: dice.below(2) === 0 }
    const text = lose(piecesOf(truth, style), lost, dice)
    if (text === undefined) continue
    found.push({
      text: (around[beside] ?? String)(text),
      truth,
      lost,
      beside,
      schema: schemaOf(truth),
    })
  }
  return found
}

/** What became of a plan: `cut` is the beginning of one, marked as such; `changed` is another value that looks whole. */
export const LOST = ["right", "refused", "cut", "changed"] as const

type Reading = { readonly value: unknown; readonly complete: boolean } | undefined

export const outcomeOf = ({ truth }: Broken, reading: Reading): (typeof LOST)[number] => {
  if (reading === undefined) return "refused"
  if (isDeepStrictEqual(reading.value, truth)) return "right"
  return reading.complete ? "changed" : "cut"
}

const ours = (text: string, schema?: Schema): Reading => {
  const result = parse(text, schema)
  return result.ok ? result : undefined
}

export const lostContenders: { readonly [name: string]: (broken: Broken) => Reading } = {
  salvage: ({ text }) => ours(text),
  "salvage with a schema": ({ text, schema }) => ours(text, schema),
  jsonrepair: ({ text }) => {
    try {
      return { value: JSON.parse(jsonrepair(text)), complete: true }
    } catch {
      return undefined
    }
  },
}
