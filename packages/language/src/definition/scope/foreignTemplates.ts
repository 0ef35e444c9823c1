/** Reports `{{ name }}` and `${ name }` in text where other tools would insert a value. */
import type { Problem } from "../Problem.ts"

export interface ForeignTemplate {
  /** What stands between the braces. */
  readonly expression: string
  readonly problem: Omit<Problem, "path">
}

const braces = /(?<!\$)\{\{\s*([a-z]\w*)([^{}]*)\}\}|\$\{\s*([a-z]\w*)([^{}]*)\}/gi

/** Only those that begin with a name that an expression at this place can read. */
export const foreignTemplates = (
  text: string,
  names: { readonly [name: string]: unknown },
): ReadonlyArray<ForeignTemplate> => {
  if (!text.includes("{")) return []
  return [...text.matchAll(braces)].flatMap(
    ({ 0: found, 1: name, 2: rest, 3: otherName, 4: otherRest, index: from }) => {
      const root = name ?? otherName!
      if (!Object.hasOwn(names, root)) return []
      const expression = `${root}${rest ?? otherRest!}`.trimEnd()
      const problem = {
        code: "PL1004",
        severity: "warning",
        message: `${found} is plain text here`,
        within: { from, to: from + found.length },
        help: `write \${{ ${expression} }}`,
      } as const
      return [{ expression, problem }]
    },
  )
}
