/** The edit of an output that reads a stage which may not have run. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { parseTemplate, typeOfSchema } from "@planloom/expression/check"
import type { Fix } from "../Fix.ts"
import type { Problem } from "../Problem.ts"

/** An expression of one stage that may have no output, guarded: the output is then empty text, or null where it has no type. */
export const guardFix = (
  value: string,
  problems: ReadonlyArray<Problem>,
  schema: JsonSchema,
): Fix | undefined => {
  const { parts } = parseTemplate(value)
  const [part] = parts
  const type = schema === true ? "any" : typeOfSchema(schema).kind
  if (parts.length !== 1 || part?.type !== "expression" || (type !== "any" && type !== "string")) {
    return undefined
  }
  const stages = new Set(
    problems.flatMap(({ code, within }) =>
      code === "PL2006" ? (/stages\.\w+\.output$/.exec(value.slice(0, within!.to))?.[0] ?? "") : [],
    ),
  )
  const [stage] = stages
  const source = part.source.trim()
  // Any other problem changes the expression first.
  if (stages.size !== 1 || stage === "" || problems.some(({ code }) => code !== "PL2006")) {
    return undefined
  }
  // A choice says itself what holds without the stage.
  if (/[?|&]/.test(source)) return undefined
  const text = `\${{ has(${stage}) ? ${source} : ${type === "any" ? "null" : "''"} }}`
  return { text, from: 0, to: value.length }
}
