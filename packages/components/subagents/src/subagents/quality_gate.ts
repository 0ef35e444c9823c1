/** The subagent `quality_gate`: whether a text answers the request and says only what its sources say. */
import * as Effect from "effect/Effect"
import { subagent } from "@planloom/plugin/effect"
import { isLoop } from "../isLoop.ts"
import { BY_MODEL, judged, NOT_JUDGED, ruled, type Issue } from "../findings.ts"
import { aboutDraft, askJudge, verdictSchema, type Judgement } from "../judge.ts"

interface Options {
  readonly criteria?: ReadonlyArray<string>
  readonly strict?: boolean
}

const VERDICTS = ["pass", "flag", "block"] as const

/** What programs leave in a text by mistake. */
const LEFTOVERS: ReadonlyArray<readonly [pattern: RegExp, rule: string, what: string]> = [
  [/\$?\{\{[^{}]{0,200}\}\}/, "placeholder", "a placeholder that was not filled in"],
  [
    /\[(?:name|amount|date|insert [^\]]{1,40}|your [^\]]{1,40}|nombre|monto|fecha)\]/i,
    "placeholder",
    "a placeholder that was not filled in",
  ],
  [/\[object Object\]|\bundefined\b|\bNaN\b/, "program_value", "a value of a program"],
  [/<\/?(?:think|tool_call|function)[^>]{0,40}>/i, "model_mark", "a mark of the model"],
]

/** Characters of a passage that stands twice. */
const REPEATED = 80

export const qualityGate = subagent<Options>({
  id: "quality_gate",
  summary: "Checks whether a text answers the request and keeps to its sources.",
  class: "quality",
  can: VERDICTS,
  at: "whole",
  scope: "conversation",
  timeout: "10s",
  input: {
    type: "object",
    properties: {
      criteria: {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Further criteria for the model, each a sentence that must hold.",
      },
      strict: {
        type: "boolean",
        description: "Blocks what is otherwise flagged, also a text that no model could judge.",
      },
    },
    additionalProperties: false,
  },
  rules: [
    ...new Set([
      "empty",
      ...LEFTOVERS.map(([, rule]) => rule),
      "loop",
      "repetition",
      BY_MODEL,
      NOT_JUDGED,
    ]),
  ],
  asks: () => [{ way: "json" }],
  review: (draft, { model, with: { criteria = [], strict = false } }) => {
    const issues = issuesIn(draft.text, strict)
    const certain = ruled(issues)
    if (certain?.verdict === "block") return Effect.succeed(certain)
    return Effect.map(
      askJudge<Judgement>(model, {
        name: "quality",
        task: [
          "Review the text that is about to be sent to a user. These must hold:",
          "- It answers the request, or says clearly why it cannot.",
          "- Every fact in it comes from the request, the earlier turns, the tool calls or the data.",
          "- It does not contradict itself or them.",
          ...criteria.map((one) => `- ${one}`),
          "`pass` if all hold, `flag` for a flaw that does no harm, `block` for a text that would mislead the user.",
        ].join("\n"),
        about: aboutDraft(draft),
        schema: verdictSchema(VERDICTS),
      }),
      (judgement) => {
        const finding = judged(judgement, issues, "the text answers the request")
        return strict && finding.verdict === "flag" ? { ...finding, verdict: "block" } : finding
      },
    )
  },
})

/** Without a question to a model, if what rules find blocks. */
const issuesIn = (text: string, isStrict: boolean): ReadonlyArray<Issue> =>
  isStrict ? rulesOn(text).map((issue) => ({ ...issue, verdict: "block" })) : rulesOn(text)

const rulesOn = (text: string): ReadonlyArray<Issue> => [
  ...(text.trim() === ""
    ? [{ verdict: "block" as const, rule: "empty", issue: "the text is empty" }]
    : []),
  ...LEFTOVERS.filter(([pattern]) => pattern.test(text)).map(([, rule, what]): Issue => ({
    verdict: "flag",
    rule,
    issue: `the text has ${what}`,
  })),
  ...(isLoop(text)
    ? [{ verdict: "block" as const, rule: "loop", issue: "the text runs in a loop" }]
    : []),
  ...(repeats(text)
    ? [{ verdict: "flag" as const, rule: "repetition", issue: "the text repeats itself" }]
    : []),
]

/** Whether a passage stands twice. */
const repeats = (text: string): boolean => {
  const seen = new Set<string>()
  const plain = text.replaceAll(/\s+/g, " ")
  for (let at = 0; at + REPEATED <= plain.length; at++) {
    const passage = plain.slice(at, at + REPEATED)
    // A line of one character is an ornament.
    if (new Set(passage).size > 4 && seen.has(passage)) return true
    seen.add(passage)
  }
  return false
}
