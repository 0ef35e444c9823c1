/** Reports a name with hyphens in an expression, which reads it as a subtraction. */
import type { Problem } from "../Problem.ts"
import type { Analysis } from "./Analysis.ts"

/** `reported` where the declaration has the hyphens, too: it is reported there. `from` is the expression's offset. */
export const hyphenatedName = (
  source: string,
  from: number,
  { definition, tree }: Analysis,
): Omit<Problem, "path"> | "reported" | undefined => {
  if (!source.includes("-")) return undefined
  const isDeclared = (name: string) => tree.byId.has(name) || Object.hasOwn(definition.inputs, name)
  for (const { 0: text, index } of source.matchAll(/[a-z_]\w*(?:-[a-z_]\w*)+/gi)) {
    if (isDeclared(text)) return "reported"
    const declared = text.replaceAll("-", "_")
    if (!isDeclared(declared)) continue
    return {
      code: "PL1101",
      message: `"${text}" is a subtraction here`,
      within: { from: from + index, to: from + index + text.length },
      help: `write ${declared}`,
    }
  }
  return undefined
}
