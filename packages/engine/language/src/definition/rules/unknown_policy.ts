/** PL3001: unknown policy. */
import { hint } from "@planloom/expression/suggestion"
import { retryUses } from "../scope/uses/retryUses.ts"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const unknownPolicy: Rule = {
  code: "PL3001",
  slug: "unknown_policy",
  severity: "error",
  title: "Unknown policy",
  why: "The stage would run without the intended retries.",
  fix: "Use the name that the message suggests, or declare the policy under `policies: { retry: … }`.",
  wrong: "retry: transent",
  right: "retry: transient",
  check: ({ analysis, definition }) => {
    const names = Object.keys(definition.policies.retry)
    return retryUses(definition, analysis.tree)
      .filter(({ name }) => !names.includes(name))
      .map(({ name, path }) => ({
        code: "PL3001",
        message: `there is no retry policy "${name}"`,
        path,
        help:
          hint(name, names, "there are") ??
          `declare it: policies: { retry: { ${name}: { max_retries: 2 } } }`,
        fix: nearValue(name, names),
      }))
  },
}
