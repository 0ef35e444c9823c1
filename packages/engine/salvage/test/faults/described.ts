/** Random documents with the JSON Schema that describes them: the same ones for the same seed. */
import type { Json, JsonObject, Schema } from "../../src/Salvage.ts"

export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  readonly below: (limit: number) => number
  readonly one: <A>(choices: ReadonlyArray<A>) => A
  readonly chance: (share: number) => boolean
}

/** Mulberry32, by Tommy Ettinger, in the public domain. */
export const randomOf = (seed: number): Random => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    one: (choices) => choices[below(choices.length)]!,
    chance: (share) => next() < share,
  }
}

export interface Described {
  readonly value: JsonObject
  readonly schema: Schema
}

const NAMES =
  "title,note,city,amount,total_count,isOpen,due_date,tags,steps,owner,kind,level,address,orderId,items,reason,score,ratio,links,parent_task".split(
    ",",
  )
const WORDS =
  "Oslo,Bergen,red fox,plan B,Anna,write tests,north,ready when you are,order 66,résumé,東京,Ünal,über alles,see you".split(
    ",",
  )
/** Texts that hold what means something elsewhere. */
const MARKS = [
  "Hello, world",
  "a: b, c: d",
  "x (y) z",
  "it's fine",
  "https://a.io/x?y=1#top",
  "two\nlines here",
  "{name} and [1]",
  'say "hi" now',
  "50% of 3 < 4 > 2",
  "**bold** and `code`",
  "C:\\temp\\new",
  "",
  "true",
  "12",
  "end.",
  "a/b // c",
  "# one",
  "Use <b> or </b>",
]
const ENUMS: ReadonlyArray<ReadonlyArray<string>> = [
  ["low", "medium", "high"],
  ["TODO", "IN_PROGRESS", "DONE"],
  ["Café", "Élevé", "Über"],
  ["north-east", "south-west", "none"],
]

interface Made {
  readonly value: Json
  readonly schema: { readonly [keyword: string]: unknown }
}

export const describedOf = (random: Random, depth = 0): Described => {
  const value: JsonObject = {}
  const properties: { [name: string]: unknown } = {}
  const required: Array<string> = []
  const count = 2 + random.below(depth === 0 ? 5 : 3)
  for (let index = 0; index < count; index++) {
    const name = random.one(NAMES)
    if (name in properties) continue
    const made = partOf(random, depth)
    properties[name] = made.schema
    if (random.chance(0.8)) required.push(name)
    value[name] = made.value
  }
  // One that may be absent, and is.
  properties["remark"] = { type: "string" }
  return { value, schema: { type: "object", properties, required, additionalProperties: false } }
}

const textOf = (random: Random) => random.one(random.chance(0.6) ? WORDS : MARKS)

const dayOf = (random: Random) =>
  new Date(Date.UTC(1990 + random.below(40), random.below(12), 13 + random.below(15)))
    .toISOString()
    .slice(0, 10)

const listOf = (random: Random, make: () => Made): Made => {
  const made = Array.from({ length: 1 + random.below(3) }, make)
  const items = made[0]!.schema
  return {
    value: made.map(({ value }) => value),
    schema: { type: "array", items },
  }
}

const partOf = (random: Random, depth: number): Made => {
  switch (random.below(depth < 2 ? 13 : 9)) {
    case 0:
    case 1:
    case 2:
      return { value: textOf(random), schema: { type: "string" } }
    case 3:
      return { value: random.below(5000) - 100, schema: { type: "integer" } }
    case 4:
      return { value: (random.below(9999) - 500) / 100, schema: { type: "number" } }
    case 5:
      return { value: random.chance(0.5), schema: { type: "boolean" } }
    case 6: {
      const choices = random.one(ENUMS)
      return { value: random.one(choices), schema: { type: "string", enum: choices } }
    }
    case 7:
      return { value: dayOf(random), schema: { type: "string", format: "date" } }
    case 8: {
      const isNull = random.chance(0.5)
      const value = isNull ? null : random.below(90)
      return { value, schema: { anyOf: [{ type: "integer" }, { type: "null" }] } }
    }
    case 9:
      return listOf(random, () => ({ value: textOf(random), schema: { type: "string" } }))
    case 10:
      return listOf(random, () => ({ value: random.below(500), schema: { type: "integer" } }))
    case 11: {
      const first = describedOf(random, depth + 1)
      return listOf(random, () => ({
        value: first.value,
        schema: first.schema as Made["schema"],
      }))
    }
    default: {
      const { value, schema } = describedOf(random, depth + 1)
      return { value, schema: schema as Made["schema"] }
    }
  }
}
