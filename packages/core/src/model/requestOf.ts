/** What a stage asks, and what its workflow says of the model → the request to one model. */
import type { Ask, JsonSchema, ModelRequest, RequestSetting, SystemBlock } from "@planloom/plugin"
import { outputLimit } from "@planloom/plugin/facts"
import type { ModelFacts } from "@planloom/plugin/facts"
import type { ModelChoice, ResolvedModel } from "../pipeline/resolveModel.ts"

export interface Question {
  readonly model: ResolvedModel | undefined
  /** Before what the stage itself says to the model. */
  readonly system: ReadonlyArray<SystemBlock>
  readonly ask: Ask
  readonly output?: { readonly name: string; readonly schema: JsonSchema }
}

/** The stage's word goes before the workflow's. What the facts say that the model refuses is left out. */
export const requestOf = (
  { ask, model, output, system }: Question,
  choice: ModelChoice,
  facts: ModelFacts | undefined,
): ModelRequest => {
  const refuses = (setting: RequestSetting) => facts?.refuses.includes(setting) === true
  const temperature = refuses("temperature") ? undefined : (ask.temperature ?? model?.temperature)
  const topK = refuses("top_k") ? undefined : (ask.topK ?? model?.topK)
  const seed = refuses("seed") ? undefined : (ask.seed ?? model?.seed)
  const wanted = ask.maxTokens ?? model?.maxTokens
  // Nothing is said when nobody wished anything: how long a reply may be then is the provider's to know.
  const maxTokens = wanted === undefined ? undefined : outputLimit(wanted, facts)
  const stop = refuses("stop") ? undefined : (ask.stop ?? model?.stop)
  const form = model?.structured ?? facts?.structured
  return {
    model: choice.model,
    system: ask.system === undefined ? system : [...system, { text: ask.system }],
    messages: ask.messages,
    ...(ask.tools === undefined ? {} : { tools: ask.tools }),
    ...(output === undefined ? {} : { output: form === undefined ? output : { ...output, form } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topK === undefined ? {} : { topK }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(stop === undefined ? {} : { stop }),
  }
}
