/** The validator `citations`: ids of passages are those that were retrieved. */
import { assert, describe, it } from "vitest"
import type { CallRecord, Draft, Json } from "@planloom/plugin/effect"
import { validatorSuite } from "@planloom/testing"
import { citations } from "../src/cite/citations.ts"

const KNOWN = "0123456789abcdef"
const OTHER = "fedcba9876543210"

const search = { tool: "search_documents", result: { passages: [{ id: KNOWN, text: OTHER }] } }

const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
  text,
  request: "",
  part: { start: 0, end: text.length, last: true },
  turns: [],
  calls: [],
  data: null,
  ...more,
})

validatorSuite({ describe, it }, citations, [
  { name: "passes a text without citations", text: "Five days [1].", verdict: "pass" },
  { name: "takes out a citation", text: `Five days [${OTHER}].`, verdict: "replace" },
  {
    name: "blocks a citation",
    text: `Five days [${OTHER}].`,
    with: { action: "block" },
    verdict: "block",
  },
])

describe("a citation", () => {
  const spans = (text: string, more: Partial<Draft>) =>
    citations.validate(text, {} as never, draft(text, more)).spans

  it.each<readonly [string, Partial<Draft>]>([
    ["a call of the stage", { calls: [search as unknown as CallRecord] }],
    ["the data of the stage", { data: { context: [{ id: KNOWN }] } as unknown as Json }],
  ])("of a passage in %s stays, and another one does not", (_, more) => {
    assert.isUndefined(spans(`Five days [${KNOWN}].`, more))
    assert.deepStrictEqual(spans(`Five [${KNOWN}] days [${OTHER}].`, more), [
      { start: 28, end: 47, text: "" },
    ])
  })
})
