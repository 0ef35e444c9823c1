/** Inputs of a run: completed with defaults and validated, or rejected. */
import * as Data from "effect/Data"
import type { JsonObject } from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
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
export const inputsOf = (pipeline: Pipeline, given: JsonObject): JsonObject | InputsRejected =>
  fittingInputs(pipeline, { ...pipeline.inputs.defaults, ...given })

/** Validates inputs that the defaults have been added to. */
export const fittingInputs = (
  { inputs, name }: Pipeline,
  all: JsonObject,
): JsonObject | InputsRejected => {
  const issues = inputs.validate(all)
  return issues.length === 0
    ? all
    : new InputsRejected({
        workflow: name,
        subject: "inputs",
        issues: issues.map(({ message, path }) => ({ path, message })),
        message: `the inputs of "${name}" do not fit: ${formatIssues(issues, "the object")}`,
      })
}
