/** Documents at the stages that read them: their names, and the params that their tools are given there. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { usedBy } from "@planloom/expression"
import { hint } from "@planloom/expression/suggestion"
import { isObject } from "@planloom/schema"
import type { DocumentPath } from "../../Definition.ts"
import { ownMember } from "../../ownMember.ts"
import type { Analysis } from "../Analysis.ts"
import type { Examination, Reading } from "./Examination.ts"
import { hasHookAt } from "../hasHookAt.ts"
import { receiversOf } from "../receiverIssues.ts"
import { withVariables } from "../withVariables.ts"

const text: JsonSchema = { type: "string" }

interface Walk {
  readonly analysis: Analysis
  readonly examination: Examination
  /** Documents that some stage reads. */
  readonly read: Set<string>
}

/** What a stage reads that may read documents; then each document that it has read. */
export const examineReading = (
  stage: DocumentPath,
  reading: Reading,
  walk: Walk,
  examineStage: (reading: Reading) => void,
): void => {
  const { analysis, examination } = walk
  const names = Object.keys(analysis.definition.documents)
  if (names.length === 0) return examineStage(reading)
  const before = examination.references.length
  examineStage(withDocuments(reading, names, analysis))
  const read = usedBy(examination.references.slice(before), "documents")
  for (const name of names) {
    if (read === "all" || read.has(name)) examineDocument(name, stage, reading, walk)
  }
}

/** The `with` and the prompts of a stage may read documents. */
const withDocuments = (
  reading: Reading,
  names: ReadonlyArray<string>,
  analysis: Analysis,
): Reading => {
  const documents: JsonSchema = {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, text])),
    additionalProperties: false,
  }
  return withVariables(reading, { documents }, analysis)
}

/** The params of a document are checked at the stages that read it: each problem is reported once. */
const examineDocument = (name: string, stage: DocumentPath, reading: Reading, walk: Walk): void => {
  const { analysis, examination, read } = walk
  const { definition, resources } = analysis
  const { field, params, tool } = ownMember(definition.documents, name)!
  const at = ["documents", name, "params"]
  const known = new Set(examination.problems.map((one) => JSON.stringify(one)))
  const found = examination.problems.length
  read.add(name)
  examination.value(params, at, reading)
  const schema = receiversOf(resources).tool(tool)
  if (schema !== undefined) {
    const most = hasHookAt("before_tool", stage, resources) ? "warning" : "error"
    examination.part({ key: "params", value: params, schema }, at, most)
  }
  const result = resources.tools.find((one) => one.name === tool)?.result
  if (field !== undefined && isObject(result) && result["additionalProperties"] === false) {
    const { properties } = result
    if (!isObject(properties) || !Object.hasOwn(properties, field)) {
      examination.problems.push({
        code: "PL1201",
        message: `the result of "${tool}" has no "${field}"`,
        path: ["documents", name, "field"],
        help: hint(field, Object.keys(properties ?? {}), "it has"),
      })
    }
  }
  const own = examination.problems.splice(found)
  examination.problems.push(...own.filter((one) => !known.has(JSON.stringify(one))))
}

/** Documents that no stage reads. */
export const examineUnread = (reading: Reading, walk: Walk): void => {
  for (const name of Object.keys(walk.analysis.definition.documents)) {
    if (!walk.read.has(name)) examineDocument(name, [], reading, walk)
  }
}
