/** Builds the request to one model from a stage's question and the workflow's model settings. */
import type {
  Ask,
  JsonSchema,
  ModelRequest,
  RequestSetting,
  SystemBlock,
} from "@planloom/plugin/effect"
import { isReasoningModel, outputLimit } from "@planloom/plugin/facts"
import type { ModelChoice, ResolvedModel } from "../../pipeline/resolveModel.ts"

export interface Question {
  readonly model: ResolvedModel | undefined
  readonly system: ReadonlyArray<SystemBlock>
  readonly ask: Ask
  /** Tools offered to the model. */
  readonly tools: ModelRequest["tools"]
  readonly output: { readonly name: string; readonly schema: JsonSchema } | undefined
}

/** Settings of the stage override those of the workflow. Settings that the model does not support are left out. */
export const requestOf = (
  { ask, model, output, system, tools }: Question,
  { facts, model: own }: ModelChoice,
): ModelRequest => {
  const refuses = (setting: RequestSetting) => facts?.refuses.includes(setting) === true
  const temperature = refuses("temperature") ? undefined : (ask.temperature ?? model?.temperature)
  const topK = refuses("top_k") ? undefined : (ask.topK ?? model?.topK)
  const seed = refuses("seed") ? undefined : (ask.seed ?? model?.seed)
  const wanted = ask.maxTokens ?? model?.maxTokens
  // Left out unless configured: the provider then applies its own limit.
  const maxTokens = wanted === undefined ? undefined : outputLimit(wanted, facts)
  const stop = refuses("stop") ? undefined : (ask.stop ?? model?.stop)
  const form = model?.structured ?? facts?.structured
  const request: { -readonly [K in keyof ModelRequest]: ModelRequest[K] } = {
    model: own,
    system,
    messages: ask.messages,
  }
  // One after another: objects spread under a condition would be made for each call.
  if (tools !== undefined) request.tools = tools
  if (output !== undefined) request.output = form === undefined ? output : { ...output, form }
  if (temperature !== undefined) request.temperature = temperature
  if (topK !== undefined) request.topK = topK
  if (seed !== undefined) request.seed = seed
  if (maxTokens !== undefined) request.maxTokens = maxTokens
  if (stop !== undefined) request.stop = stop
  if (model?.options !== undefined) request.options = model.options
  if (model?.reasoning !== undefined && isReasoningModel(facts)) {
    request.reasoning = model.reasoning
  }
  return request
}
