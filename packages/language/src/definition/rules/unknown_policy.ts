/** PL3001: there is no such policy. */
import { hint } from "@planloom/expression/suggestion"
import { retryUses } from "../scope/retryUses.ts"
import type { Rule } from "./Rule.ts"

export const unknownPolicy: Rule = {
  code: "PL3001",
  slug: "unknown_policy",
  severity: "error",
  title: "There is no such policy",
  why: "The stage would run without the retries you meant it to have.",
  mend: "Take the name the message suggests, or declare the policy under `policies: { retry: … }`.",
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
      }))
  },
}
