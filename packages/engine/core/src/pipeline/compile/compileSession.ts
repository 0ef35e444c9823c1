/** What `session:` says → what a run needs of it. */
import { compileValue } from "@planloom/expression"
import { validatorOf } from "@planloom/schema/ajv"
import type { Compaction, SessionDefinition } from "@planloom/language"
import { pastView } from "../pastView.ts"
import type { Block, PipelineCompaction, PipelineSession } from "../Pipeline.ts"

/** `block` has the stage that summarizes with a model. */
export const compileSession = (
  session: SessionDefinition,
  block: (compaction: Compaction) => Block,
): PipelineSession => {
  const request = compileValue(session.request)
  const inputs = new Set(
    request.references.flatMap(([root, name]) =>
      root === "inputs" && name !== undefined ? [name] : [],
    ),
  )
  return {
    window: session.window,
    compact: session.compact && compaction(session.compact, block),
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
    none: pastView(session),
    message: inputs.size === 1 ? [...inputs][0] : undefined,
  }
}

const compaction = (
  compact: Compaction,
  block: (compaction: Compaction) => Block,
): PipelineCompaction => ({
  after: compact.after,
  maxTokens: compact.max_tokens,
  block: compact.by === "model" ? block(compact) : undefined,
})
