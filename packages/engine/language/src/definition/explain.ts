/** Describes a diagnostic's code at length, for `planloom explain`. */
import { hint } from "@planloom/expression/suggestion"
import { rules } from "./rules/index.ts"
import type { Rule } from "./rules/Rule.ts"

const byCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]))

const ruleOf = (code: string): Rule | undefined => byCode.get(code.toUpperCase())

/** Plain text; for an unknown code, a suggestion. */
export const explain = (code: string): string => {
  const rule = ruleOf(code) ?? rules.find(({ slug }) => slug === code)
  if (!rule) {
    const near = hint(code.toUpperCase(), [...byCode.keys()], "there are")
    return `There is no diagnostic ${code}; ${near ?? "see docs/diagnostics"}.\n`
  }
  const { fix, right, severity, slug, title, why, wrong } = rule
  return [
    `${rule.code} ${slug} (${severity})`,
    "",
    title,
    "",
    why,
    "",
    fix,
    "",
    "Wrong:",
    indent(wrong),
    "",
    "Right:",
    indent(right),
    "",
  ].join("\n")
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")
