/** Checks files of examples against the workflow's inputs and the outputs of the stages that show them. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { typeOfValue } from "@planloom/expression/check"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import { sortDiagnostics } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"
import type { DocumentPath } from "../Definition.ts"
import { inputSchema } from "../inputSchema.ts"
import { locateProblem } from "../Problem.ts"
import type { Analysis } from "./Analysis.ts"
import { valueIssues } from "./valueIssues.ts"

/** Problems are reported in the examples' own files. */
export const examineExamples = (analysis: Analysis): ReadonlyArray<Diagnostic> => {
  const { definition, resources, tree } = analysis
  const inputs = inputSchema(definition)
  const found = new Map<string, Diagnostic>()
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
      for (const one of mismatches(document, value, schema, name, at, partial)) {
        found.set(`${one.file}:${one.start.offset}:${one.message}`, one)
      }
    }
    for (const [index, example] of file.examples.entries()) {
      const at = ["examples", index]
      collect(example.inputs, inputs, "the workflow", [...at, "inputs"])
      collect(example.output, output, stageName, [...at, "output"])
      if (example.expect !== undefined) {
        collect(example.expect, output, stageName, [...at, "expect"], true)
      }
    }
  }
  return sortDiagnostics([...found.values()])
}

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
