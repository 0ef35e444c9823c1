/** Evaluates what a session records, with every text as it left the run. */
import type { StageFailed, Json } from "@planloom/plugin/effect"
import type { CompiledValue } from "@planloom/expression"
import type { Frame } from "../Frame.ts"
import type { RunScope } from "../RunScope.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

/**
 * Hooks at `before_response` change outputs, not the stages that wrote them. A later turn must not read what they
 * took out, so a text of a stage that is exactly that of an output is read as the output.
 */
export const readSettled = (frame: Frame): ((value: CompiledValue) => Json | StageFailed) => {
  const { scope } = frame
  const settled = changedTexts(frame)
  if (settled.size === 0) return ({ evaluate }) => tryEvaluate(evaluate, scope)
  const seen = { ...scope, stages: replaceTexts(scope.stages as Json, settled) } as RunScope
  return ({ evaluate }) => {
    const written = tryEvaluate(evaluate, scope)
    const whole = typeof written === "string" ? settled.get(written) : undefined
    return whole ?? tryEvaluate(evaluate, seen)
  }
}

/** Texts of outputs by what they were before their hooks. */
const changedTexts = ({
  pipeline,
  scope,
  state: { responses },
}: Frame): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  if (responses === undefined) return texts
  for (const { name, value } of pipeline.outputs) {
    const left = responses.get(name)
    const written = tryEvaluate(value.evaluate, scope)
    if (left !== undefined && typeof written === "string" && written !== left)
      texts.set(written, left)
  }
  return texts
}

const replaceTexts = (value: Json, texts: ReadonlyMap<string, string>): Json => {
  if (typeof value === "string") return texts.get(value) ?? value
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one as Json, texts))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaceTexts(one as Json, texts)]),
  )
}
