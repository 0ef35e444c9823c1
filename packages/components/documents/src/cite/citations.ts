/** The validator `citations`: ids of passages in a text that no search behind it has retrieved. */
import { validator, type Draft, type Finding, type Json } from "@planloom/plugin/effect"

const actions = ["flag", "replace", "block"] as const

interface Options {
  readonly action?: (typeof actions)[number]
}

/** An id of a passage in brackets, with the space before it. */
const MARK = / ?\[([0-9a-f]{16})\]/g
const LONGEST_MARK = 19

export const citations = validator<Options>({
  id: "citations",
  summary: "Finds ids of passages that were not retrieved.",
  class: "quality",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_MARK,
  input: {
    type: "object",
    properties: {
      action: {
        enum: [...actions],
        description:
          "What becomes of a text that cites one: `replace`, unless written, takes the citation out.",
      },
    },
    additionalProperties: false,
  },
  rules: ["invented_citation"],
  validate: (text, { action = "replace" }, draft): Finding => {
    const marks = [...text.matchAll(MARK)]
    if (marks.length === 0) return passed
    const known = idsIn(draft)
    const spans = marks
      .filter(([, id]) => !known.has(id!))
      .map(({ 0: mark, index }) => ({
        start: index,
        end: index + mark.length,
        ...(action === "replace" && { text: "" }),
      }))
    if (spans.length === 0) return passed
    return {
      verdict: action,
      confidence: 1,
      reason: `the text cites ${spans.length} passages that were not retrieved`,
      rules: ["invented_citation"],
      spans,
    }
  },
})

const passed: Finding = {
  verdict: "pass",
  confidence: 1,
  reason: "every passage that the text cites was retrieved",
}

/** Ids of the passages in the data of the stage and the results of its calls. */
const idsIn = ({ calls, data }: Pick<Draft, "calls" | "data">): ReadonlySet<string> => {
  const ids = new Set<string>()
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const one of value) visit(one as Json)
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value))
        if (name === "id" && typeof one === "string") ids.add(one)
        else visit(one as Json)
  }
  visit(data)
  for (const { result } of calls) visit(result)
  return ids
}
