/** Reports `{{ name }}` and `${ name }` in text where other tools would insert a value. */
import type { Problem } from "../Problem.ts"

export interface ForeignTemplate {
  /** What stands between the braces. */
  readonly expression: string
  readonly problem: Omit<Problem, "path">
}

const braces = /(?<!\$)\{\{[\s#$]*(?:json\.)?([a-z]\w*)([^{}]*)\}\}|\$\{\s*([a-z]\w*)([^{}]*)\}/gi

/** A text that is nothing but a path of stages or inputs. */
const path = /^(?:stages|inputs)(?:\.[a-z]\w*)+$/

const bareReference = (
  text: string,
  names: { readonly [name: string]: unknown },
): ReadonlyArray<ForeignTemplate> => {
  const root = path.test(text) ? text.split(".", 1)[0]! : undefined
  if (root === undefined || !Object.hasOwn(names, root)) return []
  const problem = {
    code: "PL1004",
    severity: "warning",
    message: `${text} is plain text here`,
    help: `to read it as an expression, write "\${{ ${text} }}"`,
    fix: { yaml: `"\${{ ${text} }}"` },
  } as const
  return [{ expression: text, problem }]
}

/** Only those that begin with a name that an expression at this place can read, or are the name of an input. */
export const foreignTemplates = (
  text: string,
  names: { readonly [name: string]: unknown },
  inputs: ReadonlyArray<string> = [],
): ReadonlyArray<ForeignTemplate> => {
  if (!text.includes("{")) return bareReference(text, names)
  const inside = [...text.matchAll(/\$\{\{[^]*?\}\}/g)].map(
    ({ 0: found, index }) => [index, index + found.length] as const,
  )
  const isInside = (at: number) => inside.some(([from, to]) => from < at && at < to)
  return [...text.matchAll(braces)]
    .filter(({ index }) => !isInside(index))
    .flatMap(({ 0: found, 1: name, 2: rest, 3: otherName, 4: otherRest, index: from }) => {
      const root = name ?? otherName!
      const isName = Object.hasOwn(names, root)
      const after = (rest ?? otherRest!).replace(/#?\s*$/, "")
      // Other tools read inputs by their names alone.
      if (!isName && !(inputs.includes(root) && after === "")) return []
      const expression = `${isName ? "" : "inputs."}${root}${after}`
      const problem = {
        code: "PL1004",
        severity: "warning",
        message: `${found} is plain text here`,
        within: { from, to: from + found.length },
        help: `write \${{ ${expression} }}`,
        fix: { text: `\${{ ${expression} }}` },
      } as const
      return [{ expression, problem }]
    })
}
