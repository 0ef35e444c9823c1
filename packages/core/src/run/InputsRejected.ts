/** What a run is begun with: as given and as declared, or why it cannot begin. */
import * as Data from "effect/Data"
import type { JsonObject } from "@planloom/plugin"
import { listed } from "../pipeline/listed.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"

/** The inputs do not fit what the workflow declares; nothing has run. */
export class InputsRejected extends Data.TaggedError("InputsRejected")<{
  readonly workflow: string
  readonly message: string
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

/** With the defaults of those that are not given. */
export const inputsOf = (
  { inputs, name }: Pipeline,
  given: JsonObject,
): JsonObject | InputsRejected => {
  const all = { ...inputs.defaults, ...given }
  const issues = inputs.validate(all)
  return issues.length === 0
    ? all
    : new InputsRejected({
        workflow: name,
        issues: issues.map(({ message, path }) => ({ path, message })),
        message: `the inputs of "${name}" do not fit: ${listed(issues, "the object")}`,
      })
}
