/** Messages changed by a word: no word of time with a typo and no inserted word is passed over in silence. */
import { join } from "node:path"
import { Folder, fileTools } from "@planloom/tools-files"
import { english, readWords, type RequestReading } from "@planloom/planning/reading"
import type { JsonObject } from "@planloom/plugin/effect"
import { embedded } from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../.config/cases.ts"
import type { Device } from "../Device.ts"
import { lists } from "../plugin.ts"
import { calendar_query } from "../tools/calendar_query.ts"
import { messageReader } from "./deviceTools.ts"

const read = await messageReader()
const root = join(import.meta.dirname, "../device")
const folder = await Folder.open(root)
const files = await fileTools({ root, exclude: lists })

const run = async (tool: string, params: JsonObject): Promise<string> => {
  const { signal } = new AbortController()
  const { value } =
    tool === "calendar_query"
      ? { value: await calendar_query.run(params, { folder, bytes: 8192 } as Device, signal) }
      : await Effect.runPromise(files.call({ tool, params, index: embedded.build } as never))
  return String((value as JsonObject)["text"])
}

/** Whether nothing is done, or the question before or the sentence of each result after it has the word. */
const isNamed = async (word: string, reading: RequestReading): Promise<boolean> => {
  if (reading.type === "none") return true
  if (reading.type === "ask") return reading.question.text.includes(word)
  const results = reading.calls.map(({ call, params }) => run(call.tool.name, params))
  return (await Promise.all(results)).join(" ").includes(word)
}

/** Days, alone or with the words around them. */
const times = [
  ..."today tonight tomorrow yesterday".split(" "),
  ..."monday tuesday wednesday thursday friday saturday sunday"
    .split(" ")
    .flatMap((day) => [`on ${day}`, `next ${day}`]),
  ..."january february march april may june july august september october november december"
    .split(" ")
    .map((month) => `in ${month}`),
  ..."spring summer autumn fall winter".split(" ").map((season) => `next ${season}`),
  ..."week month year weekend"
    .split(" ")
    .flatMap((unit) => [`this ${unit}`, `next ${unit}`, `last ${unit}`]),
]

const wishes = [
  "any meetings",
  "what do I have",
  "am I busy",
  "my schedule for the dentist",
  "when is the birthday",
  "photos from",
  "pictures of the beach",
  "files I changed",
]

const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** One typo: a letter left out, added, replaced or swapped with the next. */
const slip = (word: string, at: number, kind: number, letter: string): string => {
  const place = at % word.length
  const [before, one, after] = [word.slice(0, place), word[place]!, word.slice(place + 1)]
  if (kind === 0) return before + after
  if (kind === 1) return before + letter + one + after
  if (kind === 2) return before + letter + after
  return before + (after[0] ?? "") + one + after.slice(1)
}

const typo = fc.record({
  at: fc.nat(20),
  kind: fc.nat(3),
  letter: fc.constantFrom(...letters),
})

const isUnknown = (word: string): boolean => readWords(word, english)[0]?.class === "content"

const daysOf = (reading: RequestReading): string =>
  JSON.stringify(
    reading.type === "calls" ? reading.calls.map(({ params: { from, to } }) => [from, to]) : [],
  )

describe("a message", () => {
  it("without the change is carried out for its days", () => {
    const carried = wishes.flatMap((wish) =>
      times.filter((time) => daysOf(read(`${wish} ${time}`)).includes("-")),
    )
    // Else the properties below would hold of an assistant that only asks.
    expect(carried.length).toBeGreaterThan((wishes.length * times.length) / 2)
  })

  it("whose word of time has a typo is asked about, or its answer names the word", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...wishes),
        fc.constantFrom(...times),
        fc.array(typo, { minLength: 1, maxLength: 2 }),
        fc.nat(1),
        async (wish, time, typos, which) => {
          const words = time.split(" ")
          const place = which % words.length
          const word = words[place]!
          const wrong = typos.reduce(
            (text, { at, kind, letter }) => slip(text, at, kind, letter),
            word,
          )
          // Another word of the language is no typo that can be seen.
          fc.pre(wrong.length > 2 && wrong !== word && isUnknown(wrong))
          fc.pre(isUnknown(word) || !["in", "on", "this"].includes(word))
          const text = `${wish} ${words.with(place, wrong).join(" ")}`
          const reading = read(text)
          const correct = read(`${wish} ${time}`)
          if (
            correct.type === "calls" &&
            daysOf(reading) === daysOf(correct) &&
            daysOf(correct).includes("-")
          )
            return
          expect(await isNamed(wrong, reading), text).toBe(true)
        },
      ),
      { numRuns: cases(100) },
    )
  })

  it("with an inserted word is asked about, or its answer names the word", async () => {
    const inserted = fc.constantFrom(
      ..."zebra wooden purple heron accountant later soon again weekly omorrow mornin".split(" "),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...wishes),
        fc.constantFrom(...times),
        inserted,
        fc.nat(12),
        async (wish, time, word, at) => {
          const words = `${wish} ${time}`.split(" ")
          const text = words.toSpliced(at % (words.length + 1), 0, word).join(" ")
          expect(await isNamed(word, read(text)), text).toBe(true)
        },
      ),
      { numRuns: cases(100) },
    )
  })
})
