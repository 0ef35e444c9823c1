/** What a test file refers to, held against the workflow it tests: stages, models, tools, inputs, assertions. */
import { hint } from "../source/Suggestion.ts"
import { locateProblem, type Problem } from "../definition/Problem.ts"
import type { DocumentPath, Stage } from "../definition/Definition.ts"
import { infer, type Environment } from "../definition/expression/infer.ts"
import { parseExpression } from "../definition/expression/parse.ts"
import { SyntaxProblem } from "../definition/expression/tokenize.ts"
import {
  any,
  bool,
  fits,
  int,
  listOf,
  number,
  objectOf,
  string,
  union,
} from "../definition/expression/Type.ts"
import type { Field, ObjectType, Type } from "../definition/expression/Type.ts"
import { typeOfSchema } from "../definition/expression/typeOfSchema.ts"
import type { WorkflowTest } from "../definition/WorkflowTest.ts"
import type { Block, Pipeline } from "../pipeline/Pipeline.ts"
import { sortDiagnostics, type Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"

/** Everything in the test file that cannot mean anything to this workflow. */
export const checkWorkflowTest = (
  document: Document,
  test: WorkflowTest,
  pipeline: Pipeline,
): ReadonlyArray<Diagnostic> => {
  const problems: Array<Problem> = []
  const { definition } = pipeline
  const stages = [...stagesOf(definition.stages), ...stagesOf(definition.finally)]
  const asking = stages.filter(({ uses }) => uses !== undefined).map(({ id }) => id)
  const models = [...new Set([...asking, ...Object.keys(definition.models)])]
  const nested = pipeline.workflows.size > 0
  const environment = environmentOf(pipeline)
  const unknown = (
    code: string,
    path: DocumentPath,
    what: string,
    known: ReadonlyArray<string>,
    why?: string,
  ): void => {
    const name = String(path.at(-1))
    problems.push({
      code,
      path,
      spot: "key",
      message: why ?? `there is no ${what} "${name}"`,
      help: hint(name, known, "there are"),
    })
  }
  for (const [index, { expect, given }] of test.tests.entries()) {
    const at = ["tests", index] as const
    for (const name of Object.keys(given.models)) {
      if (models.includes(name) || nested) continue
      const silent = stages.some(({ id }) => id === name)
      const why = `the stage "${name}" is a block and asks no model`
      unknown(
        "PL2002",
        [...at, "given", "models", name],
        "stage or model alias",
        models,
        silent ? why : undefined,
      )
    }
    for (const name of Object.keys(given.tools)) {
      if (pipeline.tools.has(name) || nested) continue
      unknown("PL4008", [...at, "given", "tools", name], "tool", [...pipeline.tools.keys()])
    }
    for (const [position, { stage }] of (given.answers ?? []).entries()) {
      if (stage === undefined || nested || stages.some(({ id }) => id === stage)) continue
      problems.push({
        code: "PL2002",
        path: [...at, "given", "answers", position, "stage"],
        message: `there is no stage "${stage}"`,
        help: hint(stage, asking, "there are"),
      })
    }
    for (const name of Object.keys(given.inputs)) {
      if (Object.hasOwn(definition.inputs, name)) continue
      unknown("PL0101", [...at, "given", "inputs", name], "input", Object.keys(definition.inputs))
    }
    for (const [position, source] of expect.assert.entries()) {
      problems.push(
        ...assertionProblems(source, [...at, "expect", "assert", position], environment),
      )
    }
  }
  return sortDiagnostics(problems.map((problem) => locateProblem(document, problem)))
}

/** Stages by depth first, as written. */
const stagesOf = (stages: ReadonlyArray<Stage>): ReadonlyArray<Stage> =>
  stages.flatMap((stage) => [stage, ...stagesOf(stage.stages ?? [])])

const assertionProblems = (
  source: string,
  path: DocumentPath,
  environment: Environment,
): ReadonlyArray<Problem> => {
  try {
    const node = parseExpression(source)
    const { issues, type } = infer(node, source, environment)
    const wrong = issues.filter(({ severity }) => severity !== "warning")
    if (wrong.length === 0 && !fits(type, bool)) {
      return [{ code: "PL1204", path, message: "an assertion is true or false, this is neither" }]
    }
    return wrong.map(({ code, end, help, message, start }) => ({
      code,
      message,
      help,
      path,
      within: { from: start, to: end },
    }))
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { end, help, message, start } = error
    return [{ code: "PL1001", message, help, path, within: { from: start, to: end } }]
  }
}

const roots = ["outputs", "stages", "usage", "events", "failure", "status", "degraded"]

const environmentOf = (pipeline: Pipeline): Environment => {
  const { definition } = pipeline
  const sure = (type: Type): Field => ({ type, optional: false })
  const types: { readonly [root: string]: Type } = {
    outputs: {
      ...objectOf(
        Object.fromEntries(
          Object.entries(definition.outputs).map(([name, { schema }]) => [
            name,
            certain(typeOfSchema(schema)),
          ]),
        ),
      ),
      noun: { word: "output", code: "PL1201" },
    },
    stages: {
      kind: "object",
      fields: Object.fromEntries([
        ...stageTypes(pipeline.main).map(([id, type]) => [id, sure(type)] as const),
        ...stageTypes(pipeline.finally).map(([id, type]) => [id, sure(type)] as const),
      ]),
      rest: pipeline.workflows.size > 0 ? any : undefined,
      noun: { word: "stage", code: "PL2002" },
    },
    usage: objectOf({
      inputTokens: int,
      outputTokens: int,
      cachedTokens: int,
      cost: number,
      modelCalls: int,
      toolCalls: int,
      estimatedCalls: int,
    }),
    events: listOf(any),
    failure: any,
    status: { kind: "string", values: ["succeeded", "failed", "cancelled", "clarification"] },
    degraded: listOf(objectOf({ path: string, reason: string })),
  }
  return {
    roots: Object.fromEntries(roots.map((name) => [name, sure(types[name]!)])),
    unknownRoot: (name) => ({
      code: "PL1101",
      message: `there is nothing called "${name}" here`,
      help: hint(name, roots, "there are"),
    }),
  }
}

const stageTypes = (block: Block): ReadonlyArray<readonly [id: string, type: ObjectType]> =>
  block.nodes.flatMap(({ forEach, id, work }) => [
    [
      id,
      stageType(
        work.type === "kind" && forEach === undefined ? typeOfSchema(work.outputSchema) : any,
      ),
    ],
    ...(work.type === "block" ? stageTypes(work.block) : []),
  ])

const stageType = (output: Type): ObjectType =>
  objectOf({
    outcome: { kind: "string", values: ["success", "failure", "skipped", "cancelled"] },
    attempts: int,
    strategy: string,
    ms: number,
    error: any,
    output: certain(output),
  })

/**
 * A test may read what need not be there: when it is not, the assertion does not hold. So in these
 * types nothing is optional, and nothing may be null that could also be something.
 */
const certain = (type: Type): Type => {
  switch (type.kind) {
    case "list":
      return listOf(certain(type.item))
    case "union":
      return union(type.members.filter(({ kind }) => kind !== "null").map(certain))
    case "object":
      return {
        ...type,
        rest: type.rest === undefined ? undefined : certain(type.rest),
        fields: Object.fromEntries(
          Object.entries(type.fields).map(([name, field]) => [
            name,
            { type: certain(field.type), optional: false },
          ]),
        ),
      }
    default:
      return type
  }
}
