/** Inputs of a run: completed with defaults and validated, or rejected. */
import * as Data from "effect/Data"
import type { JsonObject } from "@planloom/plugin/effect"
import { escapeStep, formatIssues, isTooDeep, TOO_DEEP } from "@planloom/schema"
import type { Pipeline } from "../pipeline/Pipeline.ts"

/** The inputs or the user do not fit the workflow's declarations; nothing has run. */
export class InputsRejected extends Data.TaggedError("InputsRejected")<{
  readonly workflow: string
  /** What the paths of `issues` lead into. */
  readonly subject: "inputs" | "user"
  readonly message: string
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

/** Adds the defaults of inputs that are not given, and validates all. */
export const inputsOf = (pipeline: Pipeline, given: JsonObject): JsonObject | InputsRejected => {
  const all = shallow(pipeline, { ...pipeline.inputs.defaults, ...given })
  return all instanceof InputsRejected ? all : fittingInputs(pipeline, all)
}

/** Validates inputs that the defaults have been added to. */
export const fittingInputs = (
  { inputs, name }: Pipeline,
  all: JsonObject,
): JsonObject | InputsRejected => {
  const issues = inputs.validate(all)
  return issues.length === 0 ? all : rejected(name, issues)
}

/** The inputs, unless code behind this border could not walk them. */
export const shallow = (
  { name }: Pick<Pipeline, "name">,
  inputs: JsonObject,
): JsonObject | InputsRejected => {
  const issues = tooDeepIn(inputs)
  return issues.length === 0 ? inputs : rejected(name, issues)
}

const rejected = (workflow: string, issues: InputsRejected["issues"]): InputsRejected =>
  new InputsRejected({
    workflow,
    subject: "inputs",
    issues: issues.map(({ message, path }) => ({ path, message })),
    message: `the inputs of "${workflow}" do not fit: ${formatIssues(issues, "the object")}`,
  })

export const tooDeepIn = (members: JsonObject): InputsRejected["issues"] =>
  Object.keys(members)
    .filter((name) => isTooDeep(members[name]))
    .map((name) => ({ path: `/${escapeStep(name)}`, message: TOO_DEEP }))
