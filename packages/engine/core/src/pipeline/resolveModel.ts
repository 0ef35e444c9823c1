/** Model names → providers: what `provider/model` and the workflow's aliases stand for. */
import type { JsonObject, OutputForm, Provider, ReasoningLevel } from "@planloom/plugin/effect"
import { factsOf, type Facts, type ModelFacts } from "@planloom/plugin/facts"
import { modelPart } from "@planloom/plugin/segments"
import type { Definition, ModelAlias, OnCut } from "@planloom/language"

/** One model to try. `name` is `provider/model` as written. */
export interface ModelChoice {
  readonly name: string
  readonly provider: Provider
  readonly model: string
  /** Its part in names of records. */
  readonly part: string
  readonly facts: ModelFacts | undefined
}

/** What a stage asks: its choices in order, and what to do when none of them answers. */
export interface ResolvedModel {
  /** The alias it is, when it is one: rates may be for it. */
  readonly alias?: string
  readonly choices: ReadonlyArray<ModelChoice>
  readonly otherwise: ModelAlias["otherwise"]
  readonly temperature: number | undefined
  readonly topK: number | undefined
  readonly seed: number | undefined
  readonly maxTokens: number | undefined
  readonly stop: ReadonlyArray<string> | undefined
  /** How much it reasons; undefined leaves it to the model. */
  readonly reasoning: ReasoningLevel | undefined
  /** What to do with text that was cut at its maximum length. */
  readonly onCut: OnCut
  /** Fields of the service's own, added to each request. */
  readonly options: JsonObject | undefined
  /** How JSON is asked for; undefined leaves it to the model's facts. */
  readonly structured: OutputForm | undefined
  /** Whether a reply that cannot be used is sent back once. */
  readonly repair: boolean
}

/** A model that nothing is said about. */
export const unsetModel: Omit<ResolvedModel, "choices"> = {
  otherwise: "fail",
  temperature: undefined,
  topK: undefined,
  seed: undefined,
  maxTokens: undefined,
  stop: undefined,
  reasoning: undefined,
  onCut: "note",
  options: undefined,
  structured: undefined,
  repair: true,
}

/** What an alias, or `provider/model` itself, stands for as the definition has it. */
export const resolveModel = (
  name: string,
  definition: Definition,
  providers: ReadonlyMap<string, Provider>,
  facts: Facts,
): ResolvedModel => {
  const alias = Object.hasOwn(definition.models, name) ? definition.models[name] : undefined
  const names = alias === undefined ? [name] : alias.try
  return {
    ...(alias === undefined ? {} : { alias: name }),
    choices: names.flatMap((choice) => choiceOf(choice, providers, facts) ?? []),
    otherwise: alias?.otherwise ?? "fail",
    temperature: alias?.temperature,
    topK: alias?.top_k,
    seed: alias?.seed,
    maxTokens: alias?.max_tokens,
    stop: alias?.stop,
    reasoning: alias?.reasoning,
    onCut: alias?.on_cut ?? "note",
    options: alias?.options,
    structured: alias?.structured,
    repair: alias?.repair ?? true,
  }
}

/** The model with one of its choices only; all of them without a name. */
export const onlyChoice = (
  model: ResolvedModel | undefined,
  name: string | undefined,
): ResolvedModel | undefined =>
  name === undefined || model === undefined
    ? model
    : { ...model, choices: model.choices.filter((choice) => choice.name === name) }

/** Undefined when the provider is not declared. */
export const choiceOf = (
  name: string,
  providers: ReadonlyMap<string, Provider>,
  facts: Facts,
): ModelChoice | undefined => {
  const provider = providers.get(name.slice(0, name.indexOf("/")))
  return provider === undefined ? undefined : modelChoice(name, provider, facts)
}

/** The model that a provider serves under a name. */
export const modelChoice = (name: string, provider: Provider, facts: Facts): ModelChoice => ({
  name,
  provider,
  model: name.slice(name.indexOf("/") + 1),
  part: modelPart(name),
  facts: factsOf(name, facts),
})

/** Whether the facts on every model that may answer list the capability. An unknown model lists none. */
export const allCan = (
  model: ResolvedModel | undefined,
  capability: ModelFacts["capabilities"][number],
): boolean =>
  model !== undefined &&
  model.choices.length > 0 &&
  model.choices.every(({ facts }) => facts?.capabilities.includes(capability) === true)
