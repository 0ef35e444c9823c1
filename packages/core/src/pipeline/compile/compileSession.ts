/** What `session:` says → what a run needs of it. */
import { compileValue } from "@planloom/expression"
import { validatorOf } from "@planloom/schema/ajv"
import type { SessionDefinition } from "@planloom/language"
import type { PipelineSession } from "../Pipeline.ts"

export const compileSession = (session: SessionDefinition): PipelineSession => {
  const request = compileValue(session.request)
  const inputs = new Set(
    request.references.flatMap(([root, name]) =>
      root === "inputs" && name !== undefined ? [name] : [],
    ),
  )
  return {
    window: session.window,
    entities: session.entities,
    request,
    assistant: compileValue(session.assistant),
    state: Object.entries(session.state).map(([name, { default: initial, schema, value }]) => ({
      name,
      initial,
      value: compileValue(value),
      schema,
      validate: validatorOf(schema),
    })),
    none: {
      id: "",
      turns: [],
      entities: [],
      state: Object.fromEntries(
        Object.entries(session.state).map(([name, { default: initial }]) => [name, initial]),
      ),
    },
    message: inputs.size === 1 ? [...inputs][0] : undefined,
  }
}
