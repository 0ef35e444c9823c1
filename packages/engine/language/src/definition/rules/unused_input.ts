/** PL2011: the input is not used. */
import type { Tool } from "@planloom/plugin/effect"
import { unwrapExpression } from "@planloom/expression"
import { parseExpression, referencesOf, SyntaxProblem } from "@planloom/expression/check"
import { usedBy } from "@planloom/expression"
import type { Rule } from "./Rule.ts"

/** References of the defaults of a tool's params. A text that is not an expression has a problem of its own. */
const readByDefaults = ({ defaults = {} }: Tool): ReadonlyArray<ReadonlyArray<string>> =>
  Object.values(defaults).flatMap((text) => {
    try {
      return referencesOf(parseExpression(unwrapExpression(text)))
    } catch (error) {
      if (error instanceof SyntaxProblem) return []
      throw error
    }
  })

export const unusedInput: Rule = {
  code: "PL2011",
  slug: "unused_input",
  severity: "warning",
  title: "The input is not used",
  why: "Every run has to provide a value that has no effect.",
  fix: "Use it, or remove it.",
  wrong: "inputs: { question: { type: string }, tone: { type: string } }",
  right: "inputs: { question: { type: string } }",
  check: ({ definition, examined, resources: { pluginSections = [], tools } }) => {
    const inSections = pluginSections.flatMap(({ references = [] }) => references)
    const used = usedBy(
      [...examined.references, ...inSections, ...tools.flatMap(readByDefaults)],
      "inputs",
    )
    // A plugin's section that provides values reads every input; expressions of its hooks may read any.
    const seen = pluginSections.some(
      ({ bound: { hooks = [], variables } }) =>
        variables !== undefined ||
        hooks.some((use) => use.when !== undefined || use.with !== undefined),
    )
    if (used === "all" || seen) return []
    return Object.keys(definition.inputs)
      .filter((name) => !used.has(name))
      .map((name) => ({
        code: "PL2011",
        severity: "warning" as const,
        message: `the input "${name}" is not used`,
        path: ["inputs", name],
        spot: "key" as const,
        help: `use it as inputs.${name}, or remove it`,
      }))
  },
}
