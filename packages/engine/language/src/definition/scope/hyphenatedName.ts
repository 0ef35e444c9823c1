/** Reports a name with hyphens in an expression, which reads it as a subtraction. */
import type { Issue } from "@planloom/expression/check"
import type { Analysis } from "./Analysis.ts"

const unknownNames = new Set(["PL1101", "PL1201", "PL2002"])

/**
 * The issues of an expression, with one in place of those on the parts of a hyphenated name, which no subtraction has. None
 * of them remains where the declaration has the hyphens, too: it is reported there.
 */
export const withHyphenatedNames = (
  issues: ReadonlyArray<Issue>,
  source: string,
  { definition, tree }: Analysis,
): ReadonlyArray<Issue> => {
  if (issues.length === 0 || !source.includes("-")) return issues
  const isDeclared = (name: string) => tree.byId.has(name) || Object.hasOwn(definition.inputs, name)
  let reported = issues
  for (const { 0: text, index: start } of source.matchAll(/[a-z_]\w*(?:-[a-z_]\w*)+/gi)) {
    const end = start + text.length
    const declared = text.replaceAll("-", "_")
    const others = reported.filter(
      (issue) => !unknownNames.has(issue.code) || issue.end <= start || issue.start >= end,
    )
    if (others.length === reported.length) continue
    if (isDeclared(text)) reported = others
    else if (isDeclared(declared)) {
      const message = `"${text}" is a subtraction here`
      reported = [
        ...others,
        {
          code: "PL1101",
          message,
          start,
          end,
          help: `write ${declared}`,
          fix: { start, end, text: declared },
        },
      ]
    }
  }
  return reported
}
