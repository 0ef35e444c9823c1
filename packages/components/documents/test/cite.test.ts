/** The stage kind `cite`: answers rest on passages that were retrieved, and say what was not read. */
import * as fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { stageKindSuite, type StageKindCase } from "@planloom/testing"
import { cases, seed } from "../../../../.config/cases.ts"
import { cite } from "../src/cite/cite.ts"
import { MarkFilter } from "../src/cite/MarkFilter.ts"
import { readMarks } from "../src/cite/marks.ts"

const passage = (more: object = {}) => ({
  library: "papers",
  id: "0123456789abcdef",
  path: "returns.md",
  heading: "Shop › Refunds",
  first_line: 3,
  last_line: 5,
  text: "Refunds take five working days.",
  score: 1,
  by: "words",
  matched: ["refunds"],
  missing: [],
  ...more,
})

const search = (more: object = {}) =>
  ({
    text: "",
    found: true,
    passages: [
      passage(),
      passage({
        id: "b",
        path: "guide.pdf",
        heading: "",
        first_line: undefined,
        last_line: undefined,
        page: 2,
        text: "Ask by mail.",
      }),
    ].map((one) => JSON.parse(JSON.stringify(one))),
    unknown: [],
    unreadable: [],
    cut: [],
    complete: true,
    ...more,
  }) as unknown as JsonObject

interface Output {
  readonly text: string
  readonly removed: ReadonlyArray<number>
  readonly sources: ReadonlyArray<{ readonly number: number; readonly place: string }>
}

const one = (
  name: string,
  replies: ReadonlyArray<string>,
  given: JsonObject,
  check: (output: Output) => void,
): StageKindCase => ({
  name,
  with: { question: "How long do refunds take?", search: search(), ...given },
  ...(replies.length === 0 ? {} : { replies: replies.map((text) => ({ text })) }),
  check: (output) => check(output as unknown as Output),
})

const suite: ReadonlyArray<StageKindCase> = [
  one("shows the cited passages with their places", ["Five working days. [1]"], {}, (output) =>
    assert.strictEqual(
      output.text,
      "Five working days. [1]\n\nSources:\n[1] returns.md:3–5 (Shop › Refunds)",
    ),
  ),
  one(
    "asks again for a citation that was not retrieved",
    ["Five days [7].", "Five days [1], by mail [2]."],
    {},
    ({ removed, sources }) => {
      assert.deepStrictEqual(removed, [])
      assert.deepStrictEqual(
        sources.map(({ place }) => place),
        ["returns.md:3–5 (Shop › Refunds)", "guide.pdf, p. 2"],
      )
    },
  ),
  one(
    "removes a citation that stays invented",
    ["Five days [7].", "Five days [1, 8] [9]."],
    { show_sources: false },
    ({ removed, text }) => {
      assert.deepStrictEqual(removed, [8, 9])
      assert.strictEqual(text, "Five days [1].")
    },
  ),
  one("asks again for an answer without a citation", ["Five.", "Five [1]."], {}, ({ sources }) =>
    assert.lengthOf(sources, 1),
  ),
  one(
    "asks no further than its corrections",
    ["Five."],
    { corrections: 0 },
    ({ sources, text }) => {
      assert.deepStrictEqual(sources, [])
      assert.strictEqual(text, "Five.")
    },
  ),
  {
    name: "fails for a reply of invented citations alone",
    with: { question: "a", search: search() },
    replies: [{ text: "[7] [8]" }],
    fails: "invalid_output",
  },
  {
    name: "fails for an invented citation if it is to",
    with: { question: "a", search: search(), on_unknown: "fail", corrections: 0 },
    replies: [{ text: "Five [7]." }],
    fails: "invalid_output",
  },
  one(
    "numbers passages in the order of the ids that it is given; an unknown id changes nothing",
    ["By mail [1], five days [2]."],
    { order: ["unknown", "b", "b"] },
    ({ sources }) =>
      assert.deepStrictEqual(
        sources.map(({ place }) => place),
        ["guide.pdf, p. 2", "returns.md:3–5 (Shop › Refunds)"],
      ),
  ),
  one("quotes passages without a model", [], {}, ({ text }) =>
    assert.strictEqual(
      text,
      "The documents say:\n\n> Refunds take five working days.\n[1] returns.md:3–5 (Shop › Refunds)\n\n> Ask by mail.\n[2] guide.pdf, p. 2",
    ),
  ),
  one(
    "says that nothing is found, and which words no document has, without asking a model",
    [],
    { search: search({ found: false, unknown: ["quantum"] }) },
    ({ text }) =>
      assert.strictEqual(
        text,
        'I found nothing about this in the documents. No document has "quantum".',
      ),
  ),
  one(
    "says what was not read",
    [],
    {
      search: search({
        found: false,
        unreadable: [{ path: "scan.pdf", reason: "no text layer" }],
        cut: [{ path: "long.txt", reason: "only its first 4 MB are read" }],
      }),
    },
    ({ text }) =>
      assert.match(
        text,
        /Not read: scan\.pdf \(no text layer\)\. Read in part: long\.txt \(only its first 4 MB are read\)\.$/,
      ),
  ),
  one(
    "shows a model no more passages than fit",
    ["Five [2].", "Five [1]."],
    {
      max_characters: 100,
      search: search({
        passages: [passage({ text: "a".repeat(90) }), passage({ text: "b".repeat(90) })],
      }),
    },
    ({ sources }) =>
      assert.deepStrictEqual(
        sources.map(({ number }) => number),
        [1],
      ),
  ),
]

stageKindSuite({ describe, it }, cite, suite)

describe("marks of citations", () => {
  const isKnown = (number: number) => number >= 1 && number <= 3

  it.each([
    ["days[1].", [1], "days[1]."],
    ["a [1][2] b【3】", [1, 2, 3], "a [1][2] b【3】"],
    ["a [^1], [2–3]", [1, 2, 3], "a [^1], [2–3]"],
    ["in [2024] `list[9]`", [], "in [2024] `list[9]`"],
    ["a [4] b [1, 9]", [4, 1, 9], "a b [1]"],
    ["a [0]", [0], "a"],
  ])("%j has %j", (text, numbers, kept) => {
    expect(readMarks(text, isKnown)).toEqual({ numbers, kept })
  })

  const piece = fc.oneof(
    fc.constantFrom(
      "[1]",
      "[2, 9]",
      "[17]",
      " [3–5]",
      "`[8]`",
      "\n",
      "word",
      "[",
      "[ 1",
      "9]",
      "```",
      "`",
      " ",
    ),
    fc.string({ unit: "binary" }),
  )
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""))

  it("that stay are all known, in any text, and known ones stay", () => {
    fc.assert(
      fc.property(text, (given) => {
        const { kept, numbers } = readMarks(given, isKnown)
        const again = readMarks(kept, isKnown)
        expect(again.kept).toBe(kept)
        expect(again.numbers.every(isKnown)).toBe(true)
        expect(again.numbers).toEqual(numbers.filter(isKnown))
      }),
      { numRuns: cases(300), seed },
    )
  })

  it("leave only when they are whole and known, wherever the text is cut", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (given, cuts) => {
          const filter = new MarkFilter(isKnown)
          let shown = ""
          for (let at = 0, turn = 0; at < given.length; turn++) {
            const next = at + cuts[turn % cuts.length]!
            shown += filter.push(given.slice(at, next))
            // Also what a reader sees in the middle cites nothing that is not there.
            expect(readMarks(shown, isKnown).numbers.every(isKnown)).toBe(true)
            at = next
          }
          expect(shown + filter.end()).toBe(readMarks(given, isKnown).kept)
        },
      ),
      { numRuns: cases(300), seed },
    )
  })

  it("are found in linear time in a text that could become one for long", () => {
    for (const given of [
      `[${" ".repeat(200_000)}7]`,
      `\`${"a ".repeat(100_000)}`,
      "[".repeat(100_000),
    ]) {
      const filter = new MarkFilter(isKnown)
      for (let at = 0; at < given.length; at += 20) filter.push(given.slice(at, at + 20))
      expect(filter.end().length).toBeLessThanOrEqual(given.length)
    }
  })
})
