/** PL3002: the policy is not used. */
import { retryUses } from "../scope/uses/retryUses.ts"
import type { Rule } from "./Rule.ts"

export const unusedPolicy: Rule = {
  code: "PL3002",
  slug: "unused_policy",
  severity: "warning",
  title: "The policy is not used",
  why: "No stage and no default names it.",
  fix: "Name it in `retry:`, or remove it.",
  wrong: "policies: { retry: { transient: …, old: … } }",
  right: "policies: { retry: { transient: … } }",
  check: ({ analysis, definition }) => {
    const used = new Set(retryUses(definition, analysis.tree).map(({ name }) => name))
    return Object.keys(definition.policies.retry)
      .filter((name) => !used.has(name))
      .map((name) => ({
        code: "PL3002",
        severity: "warning" as const,
        message: `the retry policy "${name}" is not used`,
        path: ["policies", "retry", name],
        spot: "key" as const,
        help: "name it under defaults or in a stage, or remove it",
      }))
  },
}
