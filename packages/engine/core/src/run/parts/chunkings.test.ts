/** Replies cut at random places: what leaves is the settled text and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import type { Part } from "@planloom/plugin/effect"
import * as fc from "fast-check"
import { cases } from "../../../../../../.config/cases.ts"
import { splitReasoning } from "../../reply/text/splitReasoning.ts"
import { ReplyParts } from "../../reply/parts/ReplyParts.ts"
import { secretsOf } from "../journal/scrub.ts"
import { cleanText, redactingOf } from "./openReply.ts"
import { OutputParts } from "../../reply/parts/OutputParts.ts"

const values = [
  "sk-12345678",
  "sk-12345678-long",
  "aabaabaab",
  'quo"ted\nkey',
  "pass word",
  "1234567890",
]
const secrets = secretsOf(values)!

const pieces = fc.constantFrom(
  ...values,
  ...values.map((value) => value.slice(0, 4)),
  ...values.map((value) => value.slice(3)),
  "aab",
  "word",
  "a < b",
  "<b>",
  "<",
  "<thin",
  "<THINK>",
  "</thinking>",
  "<think>hidden</think>",
  "<Reasoning>\nhidden `</reasoning>",
  "\n<thinking>hidden\n</thinking>\n",
  "\n  <think>",
  "<think>",
  "`<think>`",
  "`code",
  "`",
  "``",
  "```js\n<think>shown</think>\n```",
  "```",
  " ",
  "  \n\n",
  "\n",
  "\t",
  "日本",
  "👩‍👩‍👧",
)

const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""))

/** Without a closing tag that stands first, for that makes reasoning of what has left by then. */
const opened = fc.oneof(
  texts.map((text) => `<think>hidden</think>${text}`),
  texts.map((text) => text.replaceAll(/<\/think(?:ing)?>/gi, "</i>")),
)

const settledText = (text: string): string => cleanText(splitReasoning(text).text, secrets)

/** The parts of a reply that arrives in pieces of these lengths, repeated as needed. */
const partsOf = (text: string, lengths: ReadonlyArray<number>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  const outputs = new OutputParts([], (part) => void parts.push(part))
  const reply = new ReplyParts({
    parts: outputs,
    outputs: ["o"],
    message: "m",
    cause: "retry",
    redacting: redactingOf(secrets),
  })
  reply.open()
  for (let at = 0, index = 0; at < text.length; index++) {
    const next = at + lengths[index % lengths.length]!
    reply.push(text.slice(at, next))
    at = next
  }
  reply.end(settledText(text))
  return parts
}

const delivered = (parts: ReadonlyArray<Part>): string => {
  let text = ""
  for (const part of parts) {
    if (part.type === "reset") text = ""
    if (part.type === "text") text += part.text
  }
  return text
}

/** Every text that was shown, void or not: a reset begins another one, which a host does not append to the one before. */
const versionsOf = (parts: ReadonlyArray<Part>): ReadonlyArray<string> => {
  const versions = [""]
  for (const part of parts) {
    if (part.type === "reset") versions.push("")
    if (part.type === "text") versions.push(versions.pop()! + part.text)
  }
  return versions
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })

describe("a reply that is cut at random places", () => {
  it("gives the settled text of the whole reply, and never a reset: nothing else has left", () => {
    fc.assert(
      fc.property(opened, lengths, (text, cuts) => {
        const parts = partsOf(text, cuts)
        assert.strictEqual(delivered(parts), settledText(text))
        assert.notInclude(
          parts.map(({ type }) => type),
          "reset",
        )
      }),
      { numRuns: cases(1000) },
    )
  })

  it("shows no secret in any part or across parts, also in text that becomes void", () => {
    fc.assert(
      fc.property(texts, lengths, (text, cuts) => {
        const parts = partsOf(text, cuts)
        for (const shown of versionsOf(parts)) {
          for (const value of values) assert.notInclude(shown, value)
        }
        assert.strictEqual(delivered(parts), settledText(text))
      }),
      { numRuns: cases(300) },
    )
  })

  it("leaves at once where nothing can become a tag or a secret", () => {
    const parts = partsOf("Plain words leave as they come.", [5])
    assert.deepStrictEqual(
      parts.map((part) => part.type === "text" && part.text),
      ["Plain", " word", "s le", "ave a", "s they", " come", "."],
    )
  })

  it("resets what stood before a closing tag without an opening one", () => {
    const parts = partsOf("I wonder.</think>The answer.", [4])
    assert.deepStrictEqual(parts.filter(({ type }) => type === "reset").length, 1)
    assert.strictEqual(delivered(parts), "The answer.")
  })

  it("is held in linear time after a tag that is never closed, also behind an open mark of code", () => {
    const held = [`see <think> ${"x ".repeat(200_000)}`, `see \`a <think> ${"x ".repeat(200_000)}`]
    for (const text of held) assert.strictEqual(delivered(partsOf(text, [9])), text.trim())
  })
})
