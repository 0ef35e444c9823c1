/** Cards of tools: the longest form that has room, and never more than was asked for. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { cases } from "../../../../.config/cases.ts"
import { toolCards, type CardTool } from "@planloom/plugin/cards"
import { estimateTokens } from "./tokens/tokens.ts"

const dig: CardTool = {
  name: "base.dig",
  summary: "Digs a hole in the ground.",
  when_to_use: "Where something may be buried.",
  params: {
    type: "object",
    required: ["depth"],
    properties: {
      depth: { type: "integer", description: "How deep, in\nmeters." },
      tool: { enum: ["spade", "pick"] },
      near: { type: "array", items: { type: "string" } },
    },
  },
}

/** As servers of issue trackers, files, calendars and chats describe theirs: one to four sentences, two to seven params. */
const verbs = [
  "get",
  "list",
  "create",
  "update",
  "delete",
  "search",
  "send",
  "export",
  "merge",
  "watch",
]
const things = [
  "issue",
  "pull_request",
  "file",
  "directory",
  "calendar_event",
  "channel",
  "message",
  "user",
  "branch",
  "page",
]
const sentences = [
  (verb: string, thing: string) =>
    `Use this to ${verb} one ${thing} of the workspace that the caller can access.`,
  () => "Returns the whole object with its metadata, or an error if there is none.",
  () => "Only works within allowed directories, and follows no links that lead out of them.",
  () => "Results are paginated: pass the cursor of the last page to get the next one.",
]
const params = ["owner", "repository", "path", "query", "cursor", "per_page", "include_archived"]

const hundred: ReadonlyArray<CardTool> = verbs.flatMap((verb, row) =>
  things.map((thing, column) => ({
    name: `${["github", "files", "calendar", "chat"][column % 4]}.${verb}_${thing}`,
    summary: sentences
      .slice(0, 1 + ((row + column) % 4))
      .map((sentence) => sentence(verb, thing.replace("_", " ")))
      .join(" "),
    params: {
      type: "object",
      required: ["owner"],
      properties: Object.fromEntries(
        params
          .slice(0, 2 + ((row * column) % 6))
          .map((name) => [
            name,
            { type: "string", description: `The ${name.replace("_", " ")} of what is meant.` },
          ]),
      ),
    },
  })),
)

describe("the cards of tools", () => {
  it("are whole where there is room", () => {
    assert.strictEqual(
      toolCards([dig], 1000),
      "- base.dig(depth*: integer (How deep, in meters.), tool: spade|pick, near: string[]): Digs a hole in the ground. Where something may be buried.",
    )
  })

  it("have shorter summaries and params where there is less, and then names alone", () => {
    const long = { ...dig, summary: "word ".repeat(60).trim() }
    const typed = `- base.dig(depth*: integer, tool: spade|pick, near: string[]): ${"word ".repeat(19)}word…`
    assert.strictEqual(toolCards([long], 60), typed)
    assert.strictEqual(
      toolCards([long], 35),
      `- base.dig(depth, tool, near): ${"word ".repeat(19)}word…`,
    )
    assert.strictEqual(toolCards([long], 4), "- base.dig")
    assert.strictEqual(toolCards([long], 1), "")
    assert.strictEqual(toolCards([], 1), "")
  })

  it("of more tools than have room say how many are missing", () => {
    assert.match(toolCards(hundred, 60), /^(- [\w.]+\n)+- \d+ more$/)
  })

  it("of a hundred tools have at most 1,500 tokens and name each, and with five of them whole at most 2,300", () => {
    const text = toolCards(hundred, 1600)
    assert.isAtMost(countTokens(text), 1500)
    for (const { name } of hundred) assert.include(text, `- ${name}`)
    const five = hundred.slice(0, 5)
    const whole = five.map(({ name, params: schema, summary }) =>
      JSON.stringify({ name, description: summary, parameters: schema }),
    )
    assert.isAtMost(countTokens([text, ...whole].join("\n")), 2300)
  })

  it("are the same in any order, one line each, and never longer than was asked for", () => {
    const tool = fc.record({
      name: fc.stringMatching(/^[a-z]{1,12}\.[a-z_]{1,20}$/),
      summary: fc.string({ unit: "grapheme", maxLength: 400 }),
      params: fc.oneof(
        fc.constant<CardTool["params"]>(true),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.anything()).map((properties) => ({
          type: "object",
          properties,
        })),
      ),
    })
    const list = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 60 })
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 5000 }), (tools, most) => {
        const text = toolCards(tools, most)
        assert.isAtMost(estimateTokens(text), most)
        assert.strictEqual(toolCards(tools.toReversed(), most), text)
        assert.isAtMost(text.split("\n").length, Math.max(1, tools.length))
      }),
      { numRuns: cases(100) },
    )
  })
})
