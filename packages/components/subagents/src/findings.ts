/** Findings of subagents: from declared rules, from a model, or that no model was asked. */
import { verdicts, type Finding, type Verdict } from "@planloom/plugin/effect"
import { confidenceOf, type Judgement } from "./judge.ts"

/** What a declared rule found. */
export interface Issue {
  readonly verdict: Verdict
  readonly issue: string
  /** Id of the rule, one that its subagent declares. */
  readonly rule: string
}

/** The rule of what a model found that no declared rule did. */
export const BY_MODEL = "by_model"

/** The rule of what only a model could judge, and none did. */
export const NOT_JUDGED = "not_judged"

/** The most severe of the issues, which are certain. */
export const ruled = (issues: ReadonlyArray<Issue>): Finding | undefined => {
  if (issues.length === 0) return undefined
  const all = issues.map(({ issue }) => issue)
  const worst = Math.max(...issues.map(({ verdict }) => verdicts.indexOf(verdict)))
  const rules = [...new Set(issues.map(({ rule }) => rule))]
  return { verdict: verdicts[worst]!, confidence: 1, reason: all.join("; "), issues: all, rules }
}

/** An issue that a model found, with how sure it is. */
export interface ModelIssue extends Issue {
  /** From 0 to 1. */
  readonly confidence: number
}

/** The most severe of certain issues and of those of a model, with the confidence of what decides; undefined without any. */
export const decided = (
  issues: ReadonlyArray<Issue>,
  found: ReadonlyArray<ModelIssue>,
): Finding | undefined => {
  const finding = ruled([...issues, ...found])
  if (finding === undefined || issues.some(({ verdict }) => verdict === finding.verdict)) {
    return finding
  }
  const deciding = found.filter(({ verdict }) => verdict === finding.verdict)
  return { ...finding, confidence: Math.max(...deciding.map(({ confidence }) => confidence)) }
}

/** Issues of rules count beside those of the model, whichever is more severe. */
export const judged = (
  judgement: Judgement | undefined,
  issues: ReadonlyArray<Issue>,
  what: string,
): Finding => {
  const certain = ruled(issues)
  if (judgement === undefined) return certain ?? unjudged(what)
  const { issues: found, verdict } = judgement
  if (certain !== undefined && verdicts.indexOf(certain.verdict) >= verdicts.indexOf(verdict)) {
    return certain
  }
  const reason = found.length === 0 ? `the model finds that ${what}: ${verdict}` : found.join("; ")
  return {
    verdict,
    confidence: confidenceOf(judgement),
    reason,
    ...(verdict === "pass" ? {} : { rules: [BY_MODEL] }),
    ...(found.length === 0 ? {} : { issues: [...found] }),
  }
}

/** Never a pass: nothing was judged. */
export const unjudged = (what: string): Finding => ({
  verdict: "flag",
  confidence: 1,
  reason: `no model was there to judge whether ${what}; declared rules found nothing`,
  issues: ["not judged by a model"],
  rules: [NOT_JUDGED],
  unjudged: true,
})

/** The findings of declared rules beside questions that no model was there to answer: `skipped` has one issue for each. */
export const withoutModel = (
  issues: ReadonlyArray<Issue>,
  skipped: ReadonlyArray<Issue>,
): Finding => ({
  ...ruled([...issues, ...skipped])!,
  ...(issues.length === 0 ? { unjudged: true } : {}),
})
