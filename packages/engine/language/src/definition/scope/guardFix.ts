/** The edit of an output that reads a stage which may not have run. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { parseTemplate, typeOfSchema } from "@planloom/expression/check"
import type { Fix } from "../Fix.ts"
import type { Problem } from "../Problem.ts"

/** An expression of one stage that may have no output, guarded: the output is then empty text, or null where it has no type. */
export const guardFix = (
  written: string,
  problems: ReadonlyArray<Problem>,
  schema: JsonSchema,
): Fix | undefined => {
  const { parts } = parseTemplate(written)
  const [part] = parts
  const type = schema === true ? "any" : typeOfSchema(schema).kind
  if (parts.length !== 1 || part?.type !== "expression" || (type !== "any" && type !== "string")) {
    return undefined
  }
  const stages = new Set(
    problems.flatMap(({ code, within }) =>
      code === "PL2006"
        ? (/stages\.\w+\.output$/.exec(written.slice(0, within!.to))?.[0] ?? "")
        : [],
    ),
  )
  const [stage] = stages
  const source = part.source.trim()
  // Any other problem changes the expression first.
  if (stages.size !== 1 || stage === "" || problems.some(({ code }) => code !== "PL2006")) {
    return undefined
  }
  const empty = type === "any" ? "null" : "''"
  // Of a choice, which says what holds without its other stages, only the last value is guarded.
  const last = /^[^:]*:\s*(stages\.\w+\.output(?:\.\w+)*)$/.exec(source)?.[1]
  const isLast = last !== undefined && (last === stage || last.startsWith(`${stage}.`))
  if (/[?|&]/.test(source) && !isLast) return undefined
  const value = isLast
    ? `${source.slice(0, -last.length)}has(${stage}) ? ${last} : ${empty}`
    : `has(${stage}) ? ${source} : ${empty}`
  const text = `\${{ ${value} }}`
  return { text, from: 0, to: written.length }
}
