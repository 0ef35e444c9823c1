/** Replies cut at random places: a streamed reply settles to the same text as a whole one, and leaks nothing. */
import { assert, it } from "@effect/vitest"
import type { Validator } from "@planloom/plugin/effect"
import validators from "@planloom/validators"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { applyMarks, marksOf } from "../src/gate/spans.ts"
import { emails, ESCALATION, finding, forbidden, gated, pass, type Probe } from "./probe.ts"

/** Of each of the six panels and five validators below: all are 102,300 chunkings. */
const FEW = 300
const runs = cases(FEW, 3.1)
const isLong = runs > FEW

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
  "\ude00",
  "e\u0301",
  "\u0301",
  "\r\n",
  "y".repeat(600),
  "TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQ".repeat(20),
  "ann@bank.com4111 1111 1111 1111",
  "SECRETann@bank.com",
  "SECRETSECRET",
  "<3RET",
  `xoxb-${"23984754863"}-2348975623112`,
  "password: ",
  "k9Xw2Pq7Lm",
  "-----BEGIN PRIVATE KEY-----\n",
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDndJt7".repeat(2),
  "\n-----END PRIVATE KEY-----",
  "https://bank.com@evil.io/path",
  "10.0.0.1",
  "we cannot ",
  "guaranteed ",
  "returns ",
  "12 34 56 ",
  "1,234.56 pesos",
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

/** Its replacement may be the start of what another validator replaces. */
const heart: Probe = {
  id: "heart",
  window: 2,
  validate: (text) => {
    const spans = [...text.matchAll(/<3/g)].map(({ index }) => ({
      start: index,
      end: index + 2,
      text: "SEC",
    }))
    return spans.length === 0 ? pass : finding("replace", { spans })
  },
  pending: (text) => (text.endsWith("<") ? text.length - 1 : text.length),
  lookbehind: 0,
}

const promotion: Probe = {
  id: "promotion",
  can: ["pass", "enrich"],
  review: (text) => finding("enrich", { text: `Ask for ${text.length} % less.` }),
}

const whole: Probe = {
  id: "whole",
  review: (text) =>
    text.includes("日本") ? finding("replace", { text: text.replaceAll("日本", "Japan") }) : pass,
}

const validatorOf = (name: string): Validator =>
  validators.components!.validators!.find(({ id }) => id === name)!

/** Each with a text that never leaves. */
const panels: ReadonlyArray<readonly [name: string, probes: ReadonlyArray<Probe>, hidden: RegExp]> =
  [
    ["validators", [emails, secret], /SECRET/],
    ["a validator that blocks", [forbidden, emails, secret], /guaranteed|SECRET/],
    ["validators that make matches of each other", [emails, heart, secret], /<3/],
    ["a reviewer that appends", [emails, secret, promotion], /SECRET/],
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
            parts.settlement?.written === once.settlement?.written &&
            JSON.stringify(parts.findings) === JSON.stringify(once.findings)
          if (!same) differences++
          if (hidden.test(parts.released) || hidden.test(once.released)) leaks++
          assert.deepStrictEqual(
            [parts.text, parts.stop, parts.settlement?.written, parts.findings],
            [once.text, once.stop, once.settlement?.written, once.findings],
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
      if (isLong) {
        process.stdout.write(
          `${name}: ${runs} chunkings, ${differences} differences, ${leaks} leaks\n`,
        )
      }
    }),
  600_000,
)

it.effect.each(["pii", "secrets", "urls", "numbers", "promises"])(
  "%s finds on a stream what it finds in the whole text",
  (id) =>
    Effect.promise(async () => {
      const validator = validatorOf(id)
      const validated = (text: string) => {
        const part = { start: 0, end: text.length, last: true }
        const draft = { text, request: "", part, turns: [], calls: [], data: null }
        return validator.validate(text, {}, draft)
      }
      let differences = 0
      const settledOf = (text: string) => {
        const found = validated(text)
        if (found.verdict !== "replace") return found.verdict === "block" ? ESCALATION : text
        const replaced = applyMarks(text, marksOf(found))
        // What stands beside a replaced place may be a match only then: a conflict.
        return validated(replaced).verdict === "pass" ? replaced : ESCALATION
      }
      await fc.assert(
        fc.asyncProperty(cut, async ({ at, text }) => {
          const chunks = chunksOf(text, at)
          const { findings, text: settled } = await Effect.runPromise(
            gated([validator as Probe], chunks),
          )
          const { spans, verdict } = validated(text)
          const expected = settledOf(text)
          if (settled !== expected) differences++
          assert.strictEqual(settled, expected)
          if (verdict === "flag") assert.deepStrictEqual(findings[0]?.spans, spans)
        }),
        { numRuns: isLong ? runs : FEW / 3 },
      )
      if (isLong) {
        process.stdout.write(`${id}: ${runs} chunkings, ${differences} differences\n`)
      }
    }),
  600_000,
)
