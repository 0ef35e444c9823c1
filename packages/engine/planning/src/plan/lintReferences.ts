/** Lints the references and the `each` of a step: their form, their steps, and their types by the results of tools. */
import type { JsonSchema, JsonObject, Tool } from "@planloom/plugin/effect"
import type { LintIssue } from "./LintIssue.ts"
import { suggest } from "../repair/nearest.ts"
import { SOURCE, type Plan, type Step } from "./Plan.ts"
import { schemaAt, typesOf } from "../repair/schemaAt.ts"
import { formProblem, parsePath, referencesIn } from "./StepReference.ts"
import { findTool, plannedTool } from "../Tool.ts"

/** The values that a reference may name, with their schemas, or undefined where these are not known. */
type Known = ReadonlyMap<string, JsonSchema | undefined>

export const lintReferences = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
): ReadonlyArray<LintIssue> => {
  const { each, params } = step
  const references = referencesIn(params)
  if (references.length === 0 && each === undefined) return []
  const results = resultsOf(plan, tools)
  const names: Known = new Map([...results, ...itemsOf(step, results)])
  const { params: wanted } = plannedTool(tool)
  return [
    ...(each === undefined ? [] : lintEach(step, results)),
    ...references.flatMap(({ at, reference }) => {
      const place = ["params", ...at].join(".")
      const target = schemaAt(wanted, at)
      const expected = "schema" in target ? typesOf(target.schema) : undefined
      return lintReference(step.id, reference, { names, place, expected })
    }),
  ]
}

const resultsOf = (plan: Plan, tools: ReadonlyArray<Tool>): Known =>
  new Map<string, JsonSchema | undefined>([
    [SOURCE, undefined],
    ...plan.steps.map(({ each, id, tool }): [string, JsonSchema | undefined] => {
      const result = findTool(tools, tool)?.result
      if (each === undefined) return [id, result]
      // Its definitions stay where references inside of it look for them.
      const shared = typeof result === "object" ? definitionsOf(result) : {}
      return [id, { ...shared, type: "array", ...(result === undefined ? {} : { items: result }) }]
    }),
  ])

const definitionsOf = ({ $defs, definitions }: JsonObject | (JsonSchema & object)): JsonObject =>
  JSON.parse(JSON.stringify({ $defs, definitions })) as JsonObject

/** The name of an item with the schema of the items. */
const itemsOf = (
  { each }: Step,
  results: Known,
): ReadonlyArray<[string, JsonSchema | undefined]> => {
  if (each === undefined) return []
  const list = listOf(each.over, results)
  const items = list === undefined || "missing" in list ? undefined : list.schema["items"]
  const root = results.get(each.over.$from)
  const shared = typeof root === "object" ? definitionsOf(root) : {}
  return [
    [
      each.as,
      typeof items === "object" && items !== null ? { ...shared, ...(items as object) } : undefined,
    ],
  ]
}

const listOf = (
  { $from: from, path = "" }: { readonly $from: string; readonly path?: string },
  results: Known,
) => {
  const parts = parsePath(path)
  return parts === undefined ? undefined : schemaAt(results.get(from), parts)
}

const lintEach = ({ each, id }: Step, results: Known): ReadonlyArray<LintIssue> => {
  const { as, over } = each!
  const taken = results.has(as)
    ? [
        {
          code: "reserved_id" as const,
          step: id,
          path: "each.as",
          message: `${as} names a step already, so no item can be called so`,
        },
      ]
    : []
  const found = lintReference(
    id,
    { ...over },
    {
      names: results,
      place: "each.over",
      expected: ["array"],
    },
  )
  return [...taken, ...found]
}

const lintReference = (
  step: string,
  reference: JsonObject,
  {
    expected,
    names,
    place: path,
  }: {
    readonly names: Known
    readonly place: string
    /** Types that may stand there; undefined if any may. */
    readonly expected: ReadonlyArray<string> | undefined
  },
): ReadonlyArray<LintIssue> => {
  const bad = (message: string, more: object = {}): ReadonlyArray<LintIssue> => [
    { code: "bad_reference", step, path, message, ...more },
  ]
  const problem = formProblem(reference)
  if (problem !== undefined) return bad(problem)
  const { $from, path: text = "" } = reference
  const from = $from as string
  if (!names.has(from)) return bad(`there is no step ${from}`, suggest(from, [...names.keys()]))
  const found = schemaAt(names.get(from), parsePath(text as string)!)
  if ("missing" in found)
    return bad(`the result of ${from}, at ${text as string}: ${found.missing}`)
  const given = typesOf(found.schema)
  if (given === undefined || expected === undefined || given.some((one) => fits(one, expected)))
    return []
  return [
    {
      code: "mistyped_param",
      step,
      path,
      message: `${path} must be ${expected.join(" or ")}, and ${from} gives ${given.join(" or ")}`,
    },
  ]
}

/** A number without a fraction is an integer. */
const fits = (given: string, expected: ReadonlyArray<string>): boolean =>
  expected.includes(given) ||
  (given === "integer" && expected.includes("number")) ||
  (given === "number" && expected.includes("integer"))
