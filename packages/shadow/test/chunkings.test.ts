/** Replies cut at random places: a streamed reply settles to the same text as a whole one, and leaks nothing. */
import { assert, it } from "@effect/vitest"
import type { Validator } from "@planloom/plugin/effect"
import validators from "@planloom/validators"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases } from "../../../.config/cases.ts"
import { applyMarks, marksOf } from "../src/gate/spans.ts"
import { emails, ESCALATION, finding, forbidden, gated, pass, type Probe } from "./probe.ts"

const FEW = 300
const MANY = 10_000
const runs = cases(FEW) === FEW ? FEW : MANY

const pieces = fc.constantFrom(
  "ann@bank.com",
  "ann@bank.comx",
  "ann.lee@mail.bank.com",
  "@",
  ".com",
  "4111 1111 1111 1111",
  "4111111111111111",
  "4111 1111 1111 1111 2",
  "41 11",
  "7",
  "+1 415 555 2671",
  "GB82 WEST 1234 5698 7654 32",
  "SECRET",
  "SEC",
  "RET",
  "guaran",
  "teed",
  "good words of a reply",
  "a",
  " ",
  "  \n\n",
  "\t",
  ".",
  "x".repeat(40),
  "some words, ".repeat(15),
  "日本語のテキスト",
  "👩‍👩‍👧",
  "\ud83d",
)

const reply = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(""))

/** A reply and where it is cut. */
const cut = reply.chain((text) =>
  fc.record({
    text: fc.constant(text),
    at: fc.array(fc.nat({ max: text.length }), { maxLength: 40 }),
  }),
)

const chunksOf = (text: string, at: ReadonlyArray<number>): ReadonlyArray<string> => {
  const borders = [...new Set([0, ...at, text.length])].toSorted((one, other) => one - other)
  return borders.slice(1).map((border, index) => text.slice(borders[index], border))
}

/** Without `pending`: it holds back its whole window. */
const secret: Probe = {
  id: "secret",
  window: 6,
  validate: (text) => {
    const spans = [...text.matchAll(/SECRET/g)].map(({ index }) => ({
      start: index,
      end: index + 6,
      text: "***",
    }))
    return spans.length === 0 ? pass : finding("replace", { spans })
  },
}

/** Reads blocks; replaces one word, and blocks two in a row. */
const reader: Probe = {
  id: "reader",
  at: "window",
  longest: 20,
  spans: true,
  review: (text) => {
    const found = /words/.exec(text)
    if (text.includes("a.a.a")) return finding("block")
    return found === null
      ? pass
      : finding("replace", { spans: [{ start: found.index, end: found.index + 5, text: "terms" }] })
  },
}

const whole: Probe = {
  id: "whole",
  review: (text) =>
    text.includes("日本") ? finding("replace", { text: text.replaceAll("日本", "Japan") }) : pass,
}

const [pii] = validators.components!.validators!.filter(({ id }) => id === "pii")

/** Each with a text that never leaves. */
const panels: ReadonlyArray<readonly [name: string, probes: ReadonlyArray<Probe>, hidden: RegExp]> =
  [
    ["validators", [emails, secret], /SECRET/],
    ["a validator that blocks", [forbidden, emails], /guaranteed/],
    ["a subagent on the stream", [reader, secret], /SECRET/],
    ["reviewers of parts and of the whole", [emails, reader, whole, forbidden], /guaranteed/],
  ]

it.effect.each(panels)(
  "%s settle and release the same text however the reply is cut",
  ([name, probes, hidden]) =>
    Effect.promise(async () => {
      let differences = 0
      let leaks = 0
      await fc.assert(
        fc.asyncProperty(cut, async ({ at, text }) => {
          const once = await Effect.runPromise(gated(probes, text === "" ? [] : [text]))
          const parts = await Effect.runPromise(gated(probes, chunksOf(text, at)))
          const same =
            parts.text === once.text &&
            parts.stop === once.stop &&
            JSON.stringify(parts.findings) === JSON.stringify(once.findings)
          if (!same) differences++
          if (hidden.test(parts.released) || hidden.test(once.released)) leaks++
          assert.deepStrictEqual(
            [parts.text, parts.stop, parts.findings],
            [once.text, once.stop, once.findings],
          )
          assert.notMatch(parts.released, hidden)
          assert.notMatch(once.released, hidden)
          const isBlocked = parts.settlement?.outcome.verdict === "block"
          if (!isBlocked && parts.released !== "") {
            assert.isTrue(name.includes("whole") || parts.text.startsWith(parts.released))
          }
        }),
        { numRuns: runs },
      )
      if (runs === MANY) {
        process.stdout.write(
          `${name}: ${runs} chunkings, ${differences} differences, ${leaks} leaks\n`,
        )
      }
    }),
  600_000,
)

it.effect(
  "personal data is replaced on a stream as the validator finds it in the whole text",
  () =>
    Effect.promise(async () => {
      const validated = (text: string) => {
        const part = { start: 0, end: text.length, last: true }
        const draft = { text, request: "", part, turns: [], calls: [], data: null }
        return (pii as Validator).validate(text, {}, draft)
      }
      let differences = 0
      await fc.assert(
        fc.asyncProperty(cut, async ({ at, text }) => {
          const { released, text: settled } = await Effect.runPromise(
            gated([pii as Probe], chunksOf(text, at)),
          )
          const replaced = applyMarks(text, marksOf(validated(text)))
          // What stands beside a replaced place may be a match only then: a conflict.
          const expected =
            replaced === text || validated(replaced).verdict === "pass" ? replaced : ESCALATION
          if (settled !== expected) differences++
          assert.deepStrictEqual([settled, released], [expected, replaced])
        }),
        { numRuns: runs },
      )
      if (runs === MANY)
        process.stdout.write(`pii: ${runs} chunkings, ${differences} differences\n`)
    }),
  600_000,
)
