/** Forms of phrases over typed items: `BY PART (AND PART)*`; the grammar of questions is a list of them with their meaning. */
import type { Item, Meanings } from "./Item.ts"
import { terminalsAt } from "./findItems.ts"
import type { Reading } from "./Reading.ts"

/** The items that a form matched, in reading order. */
export class Found {
  readonly start: number
  readonly end: number
  readonly items: ReadonlyArray<Item>

  constructor(start: number, end: number, items: ReadonlyArray<Item>) {
    this.start = start
    this.end = end
    this.items = items
  }

  all<C extends keyof Meanings>(category: C): ReadonlyArray<Item<Meanings[C]>> {
    return this.items.filter((one) => one.category === category) as ReadonlyArray<Item<Meanings[C]>>
  }

  first<C extends keyof Meanings>(category: C): Item<Meanings[C]> | undefined {
    return this.all(category)[0]
  }

  of<C extends keyof Meanings>(category: C): Meanings[C] | undefined {
    return this.first(category)?.of
  }
}

type Items = ReadonlyArray<Item>
/** Passes each way to match on to the rest of the form. */
type Step = (
  reading: Reading,
  at: number,
  items: Items,
  rest: (at: number, items: Items) => void,
) => void

const nothing: Step = (_, at, items, rest) => rest(at, items)
const both =
  (left: Step, right: Step): Step =>
  (reading, at, items, rest) =>
    left(reading, at, items, (end, more) => right(reading, end, more, rest))
const either =
  (left: Step, right: Step): Step =>
  (reading, at, items, rest) => {
    left(reading, at, items, rest)
    right(reading, at, items, rest)
  }

/** Categories that forms are for, beside those of single items. */
const derived = new Map<keyof Meanings, (reading: Reading, at: number) => Items>()

const itemsAt = (reading: Reading, category: keyof Meanings, at: number): Items =>
  derived.get(category)?.(reading, at) ?? terminalsAt(reading, category, at)

/** A list of values in a question is shorter; the stack would not hold thousands. */
const MAX_REPEATS = 40

/** As often as it matches, but once at least where `least` is 1. */
const repeated = (step: Step, least: 0 | 1): Step => {
  const upTo =
    (left: number): Step =>
    (reading, at, items, rest) => {
      if (left > 0)
        step(reading, at, items, (end, found) => {
          if (end > at) upTo(left - 1)(reading, end, found, rest)
        })
      rest(at, items)
    }
  return least === 0 ? upTo(MAX_REPEATS) : both(step, upTo(MAX_REPEATS))
}
/** Capitals name a category, anything else is the word itself. */
const single =
  (name: string): Step =>
  (reading, at, items, rest) => {
    if (name === name.toUpperCase() && /[A-Z]/.test(name)) {
      for (const item of itemsAt(reading, name as keyof Meanings, at))
        rest(item.end, [...items, item])
    } else if (reading.stem(at) === name && !reading.isTaken(at)) rest(at + 1, items)
  }

const compile = (form: string): Step => {
  const parts = form.match(/[()|?*+]|[^\s()|?*+]+/g) ?? []
  let at = 0
  const quantified = (step: Step): Step => {
    const sign = parts[at]
    if (sign !== "?" && sign !== "*" && sign !== "+") return step
    at++
    return sign === "?" ? either(step, nothing) : repeated(step, sign === "*" ? 0 : 1)
  }
  const alternatives = (): Step => {
    let whole: Step | undefined
    let sequence: Step = nothing
    for (; at < parts.length && parts[at] !== ")";) {
      const part = parts[at++] as string
      if (part === "|") {
        whole = whole === undefined ? sequence : either(whole, sequence)
        sequence = nothing
        continue
      }
      const step = part === "(" ? alternatives() : single(part)
      if (part === "(") at++
      sequence = both(sequence, quantified(step))
    }
    return whole === undefined ? sequence : either(whole, sequence)
  }
  return alternatives()
}

/** Ways to match that are looked at: more are of words that mean the same. */
const MAX_WAYS = 32

type Matcher = (reading: Reading, at: number) => ReadonlyArray<Found>

/** Every way to match from a place, the longest first. Compiled at the first use. */
const form = (text: string): Matcher => {
  let step: Step | undefined
  return (reading, start) => {
    const ways = new Map<string, Found>()
    ;(step ??= compile(text))(reading, start, [], (end, items) => {
      const key = `${end} ${items.map((one) => `${one.category}${one.start}`).join(" ")}`
      if (end > start && ways.size < MAX_WAYS && !ways.has(key))
        ways.set(key, new Found(start, end, items))
    })
    return [...ways.values()].toSorted((left, right) => right.end - left.end)
  }
}

/** Makes a category of a form; `of` is its meaning, undefined where the words mean something else. */
export const define = <C extends keyof Meanings>(
  category: C,
  text: string,
  of: (found: Found, reading: Reading) => Meanings[C] | undefined,
): void => {
  const match = form(text)
  derived.set(category, (reading, start) =>
    match(reading, start).flatMap((found) => {
      const meaning = of(found, reading)
      return meaning === undefined ? [] : [{ category, start, end: found.end, of: meaning }]
    }),
  )
}

/** A form, and what it adds to the requirements; `false` where its words mean something else. */
export type Rule = readonly [form: string, read: (found: Found, reading: Reading) => boolean | void]

/** Reads from left to right: at each place the rule that uses most words, of two such the first. */
export const reader = (rules: ReadonlyArray<Rule>): ((reading: Reading) => void) => {
  const compiled = rules.map(([text, read]) => [form(text), read] as const)
  return (reading) => {
    for (let at = 0; at < reading.tokens.length; at++) {
      const ways = compiled
        .flatMap(([match, read]) => match(reading, at).map((found) => [found, read] as const))
        .toSorted(([left], [right]) => right.end - left.end)
      const used = ways.find(([found, read]) => read(found, reading) !== false)
      if (used !== undefined) at = used[0].end - 1
    }
  }
}
