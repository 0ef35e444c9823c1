/** The edit of an output that reads a stage which may not have run. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { parseTemplate, typeOfSchema } from "@planloom/expression/check"
import type { Fix } from "../Fix.ts"
import type { Problem } from "../Problem.ts"

/** An expression of one stage that may have no output, guarded: the output is then empty text, or null where it has no type. */
export const guardFix = (
  written: string,
  problem: Problem,
  schema: JsonSchema,
): Fix | undefined => {
  const { parts } = parseTemplate(written)
  const [part] = parts
  const type = schema === true ? "any" : typeOfSchema(schema).kind
  if (parts.length !== 1 || part?.type !== "expression" || (type !== "any" && type !== "string")) {
    return undefined
  }
  const { to } = problem.within!
  const stage = /stages\.\w+\.output$/.exec(written.slice(0, to))?.[0]
  if (stage === undefined) return undefined
  const source = part.source.trim()
  const empty = type === "any" ? "null" : "''"
  if (!/[?|&]/.test(source)) {
    const text = `\${{ has(${stage}) ? ${source} : ${empty} }}`
    return { text, from: 0, to: written.length }
  }
  // Of a choice, one of the values is guarded by itself.
  const from = to - stage.length
  const field = /^(?:\.\w+)*/.exec(written.slice(to))![0]
  const isValue =
    /[?:]\s*$/.test(written.slice(0, from)) &&
    /^\s*(?::|\}\})/.test(written.slice(to + field.length))
  const text = `(has(${stage}) ? ${stage}${field} : ${empty})`
  return isValue ? { text, from, to: to + field.length } : undefined
}
