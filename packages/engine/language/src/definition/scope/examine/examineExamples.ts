/** Checks files of examples against the workflow's inputs and the outputs of the stages that show them. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { typeOfValue } from "@planloom/expression/check"
import type { Diagnostic } from "../../../source/Diagnostic.ts"
import { sortDiagnostics } from "../../../source/Diagnostic.ts"
import type { Document } from "../../../source/Document.ts"
import type { Definition, DocumentPath } from "../../Definition.ts"
import { inputSchema } from "../../inputSchema.ts"
import type { Past } from "../../Past.ts"
import { locateProblem, type Problem } from "../../Problem.ts"
import type { Analysis } from "../Analysis.ts"
import { pastProblems } from "../pastProblems.ts"
import { valueIssues } from "../valueIssues.ts"

/** Problems are reported in the examples' own files. */
export const examineExamples = (analysis: Analysis): ReadonlyArray<Diagnostic> => {
  const { definition, resources, tree } = analysis
  const inputs = inputSchema(definition)
  const found = new Map<string, Diagnostic>()
  const add = (one: Diagnostic): void => {
    found.set(`${one.file}:${one.start.offset}:${one.message}`, one)
  }
  for (const node of tree.all) {
    const { stage } = node
    const file = stage.examples && resources.examples?.get(stage.examples.file)
    if (file === undefined) continue
    const { document } = file
    const output = analysis.outputSchema(node) ?? true
    const stageName = `the output of "${stage.id}"`
    const collect = (
      value: Json,
      schema: JsonSchema,
      name: string,
      at: DocumentPath,
      partial = false,
    ): void => {
      mismatches(document, value, schema, name, at, partial).forEach(add)
    }
    for (const [index, example] of file.examples.entries()) {
      const at = ["examples", index]
      collect(example.inputs, inputs, "the workflow", [...at, "inputs"])
      collect(example.output, output, stageName, [...at, "output"])
      if (example.expect !== undefined) {
        collect(example.expect, output, stageName, [...at, "expect"], true)
      }
      if (example.session !== undefined) {
        for (const problem of examplePastProblems(
          example.session,
          [...at, "session"],
          definition,
        )) {
          add(locateProblem(document, problem))
        }
      }
    }
  }
  return sortDiagnostics([...found.values()])
}

/** An example has no run that could make calls: what they were about is written as entities. */
const examplePastProblems = (
  past: Past,
  at: DocumentPath,
  definition: Definition,
): ReadonlyArray<Problem> => [
  ...pastProblems(past, at, definition, undefined),
  ...past.turns.flatMap(({ calls }, index) =>
    calls.length === 0 || definition.session === undefined
      ? []
      : [
          {
            code: "PL4004",
            path: [...at, "turns", index, "calls"],
            message: "an example shows no calls of earlier turns",
            help: "write what they were about under entities of the session",
          },
        ],
  ),
]

/** With `partial`, missing keys are no mismatch. */
const mismatches = (
  document: Document,
  value: Json,
  schema: JsonSchema,
  name: string,
  at: DocumentPath,
  partial: boolean,
): ReadonlyArray<Diagnostic> =>
  valueIssues(value, { schema, name, code: "PL5004" }, typeOfValue)
    .filter(({ code }) => !partial || code !== "PL4006")
    .map((issue) =>
      locateProblem(document, { ...issue, code: "PL5004", path: [...at, ...issue.path] }),
    )
