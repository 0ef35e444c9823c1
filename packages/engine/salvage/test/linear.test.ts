/** Work is linear in the length of a document. Search steps are counted, because clocks are unreliable. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"

/** How many units and items are passed by the searches that reading a text takes, its repairs included. */
const workFor = (text: string): number => {
  const lists = Array.prototype as unknown as {
    [name: string]: (...args: Array<unknown>) => unknown
  }
  const kept = { includes: lists["includes"]!, findIndex: lists["findIndex"]! }
  const { indexOf } = String.prototype
  let work = 0
  for (const [name, search] of Object.entries(kept)) {
    lists[name] = function (this: Array<unknown>, ...args) {
      work += this.length
      return search.apply(this, args)
    }
  }
  Object.assign(String.prototype, {
    indexOf(this: string, needle: string, from = 0) {
      const at = indexOf.call(this, needle, from)
      work += (at < 0 ? this.length : at) - from
      return at
    },
  })
  try {
    const result = parse(text)
    expect(result.ok && result.repairs.length > 0).toBe(true)
  } finally {
    Object.assign(lists, kept)
    Object.assign(String.prototype, { indexOf })
  }
  return work
}

const texts: { readonly [name: string]: (times: number) => string } = {
  "JSON Lines": (times) => '{"id": 1, "tags": ["a"]}\n'.repeat(times),
  "lists behind each other": (times) => "[1, 2]\n".repeat(times),
  "fenced documents": (times) => '```json\n{"id": 1}\n```\n'.repeat(times),
  "fenced documents in prose": (times) => 'So:\n```json\n{"id": 1}\n```\n'.repeat(times),
  "documents with quotes as entities": (times) => "{&quot;id&quot;: 1}\n".repeat(times),
  "hash comments": (times) => `[\n${'1, # a "note"\n'.repeat(times)}]`,
  "slash comments": (times) => `[\n${"1, // it's a note\n".repeat(times)}]`,
  "steps of which one lost a bracket": (times) =>
    `[${'{"id": 1, "a": {"b": 1}},'.repeat(times)}{"id": 1, "a": {"b": 1}, {"id": 1}]`,
  "comments that carriage returns end": (times) => `[\r${"1, # a note\r".repeat(times)}]`,
}

describe("the work of reading", () => {
  it.each(Object.keys(texts))("doubles with the length of %s", (name) => {
    const text = texts[name]!
    expect(workFor(text(2000)) / workFor(text(1000))).toBeLessThan(2.2)
  })
})
