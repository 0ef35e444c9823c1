/** Assembles what a model reads before the messages: sections and offered tools, through hooks if there are any. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  toFailureRecord,
  type Ask,
  type Failure,
  type JsonObject,
  type Section,
} from "@planloom/plugin/effect"
import type { ExpressionScope } from "@planloom/expression"
import { factsOf, type Facts } from "@planloom/plugin/facts"
import type { AssembledPrompt } from "./AssembledPrompt.ts"
import { counted, ofPrompt } from "./countedSection.ts"
import type { KnownTools } from "./declareTools.ts"
import { fitSections } from "./fitSections.ts"
import { keepPrompt } from "./keptPrompt.ts"
import type { PointRunner } from "./PointRunner.ts"
import { evaluated, refused, renderSection } from "./renderSection.ts"
import { selectOffers } from "./selectOffers.ts"
import { selectVariant, type SelectedVariant } from "./selectVariant.ts"
import type { PromptSection, PromptTable, StagePrompt } from "./StagePrompt.ts"
import { KIND } from "./systemBlocks.ts"
import { indexSection } from "./toolIndex.ts"
import { toolsToName } from "./toolsToName.ts"
import { estimate, tokenCounter, type TokenCounter } from "./tokens/tokens.ts"
import type { StageModels } from "./withExamples.ts"

/** The stage that asks. */
export interface PromptSite {
  readonly work: {
    /** Id of its kind. */
    readonly uses: string
    readonly prompt: StagePrompt | undefined
    readonly model: StageModels | undefined
  }
  readonly scope: ExpressionScope
  readonly pipeline: { readonly facts: Facts; readonly prompts: PromptTable }
  readonly registry: KnownTools
  /** Prompts with texts of the host, in place of those of the pipeline. */
  readonly pinned: PromptTable | undefined
  /** Reads documents of the workflow, and gives those that the stage has read before, too. Without it there are none. */
  readonly documents?:
    | ((names: ReadonlySet<string> | "all") => Effect.Effect<JsonObject, Failure>)
    | undefined
  /** Whether the ask is a turn of a tool loop, whose model can read and call tools that are one line of its prompt. */
  readonly isLoop: boolean
  /** Undefined if no hook of the stage has to do with prompts. */
  readonly hooks: PointRunner | undefined
  /** Reports a mode that is not declared, and the one in its place. */
  readonly unknownMode: (mode: string, used: string) => void
}

/**
 * For an ask of which `keptPrompt` has none. Fails with class `invalid_request` for a prompt, section or tool that the
 * workflow does not declare, and with `context_length` if the sections of the prompt are longer than its mode allows, as
 * the stage's first model counts, and those that the mode may shorten do not make up for it.
 */
export const assemblePrompt = (
  ask: Ask,
  site: PromptSite,
): Effect.Effect<AssembledPrompt, ModelFailed> => {
  const { hooks, registry, work } = site
  const made = assembling(ask, site)
  return hooks === undefined && work.prompt === undefined
    ? Effect.map(made, (prompt) => keepPrompt(ask, work, registry, prompt))
    : made
}

const assembling = (ask: Ask, site: PromptSite): Effect.Effect<AssembledPrompt, ModelFailed> =>
  Effect.suspend(() => {
    const prompt = promptOf(ask, site)
    if (prompt instanceof ModelFailed) return Effect.fail(prompt)
    const wanted = ask.prompt?.mode ?? evaluated(() => prompt?.mode?.evaluate(site.scope))
    if (wanted instanceof ModelFailed) return Effect.fail(wanted)
    const mode = wanted === undefined ? undefined : String(wanted)
    const { hooks } = site
    const made =
      hooks === undefined
        ? assembled(prompt, variantOf(prompt, mode, site), undefined, ask, site, estimate)
        : Effect.flatMap(counterOf(site), (counter) =>
            withHooks(prompt, mode, ask, site, hooks, counter),
          )
    return Effect.mapError(made, toModelFailed)
  })

const promptOf = (
  ask: Ask,
  { pinned, pipeline, work }: PromptSite,
): StagePrompt | ModelFailed | undefined => {
  const use = ask.prompt?.use
  if (use !== undefined) {
    return (pinned ?? pipeline.prompts).named(use) ?? refused(`there is no prompt "${use}"`)
  }
  const { prompt } = work
  return prompt && pinned ? { ...pinned.named(prompt.name)!, mode: prompt.mode } : prompt
}

const variantOf = (
  prompt: StagePrompt | undefined,
  mode: string | undefined,
  site: PromptSite,
): SelectedVariant | undefined => {
  if (prompt === undefined) return undefined
  const variant = selectVariant(prompt, mode)
  if (mode !== undefined && variant.mode !== mode) site.unknownMode(mode, variant.mode)
  return variant
}

/** The hooks at `pre_assembly` may change mode, variables and the list of sections. */
const withHooks = (
  prompt: StagePrompt | undefined,
  mode: string | undefined,
  ask: Ask,
  site: PromptSite,
  hooks: PointRunner,
  counter: TokenCounter,
): Effect.Effect<AssembledPrompt, Failure> => {
  const first = variantOf(prompt, mode, site)
  const draft = {
    request: lastRequest(ask),
    mode: first?.mode ?? "",
    vars: ask.prompt?.vars ?? {},
    sections: first?.sections.map(({ id }) => id) ?? [],
  }
  return Effect.flatMap(hooks("pre_assembly", draft), (changed) => {
    const variant =
      changed.mode === draft.mode ? first : variantOf(prompt, changed.mode || undefined, site)
    const listed =
      changed.sections === draft.sections
        ? variant
        : withSections(variant, changed.sections, site.pinned ?? site.pipeline.prompts)
    if (listed instanceof ModelFailed) return Effect.fail(listed)
    return assembled(prompt, listed, changed.vars, ask, site, counter)
  })
}

/** The variant with other sections; those it does not have are sections of the workflow. */
const withSections = (
  variant: SelectedVariant | undefined,
  ids: ReadonlyArray<string>,
  prompts: PromptTable,
): SelectedVariant | ModelFailed => {
  const sections: Array<PromptSection> = []
  for (const id of ids) {
    const section = variant?.sections.find((one) => one.id === id) ?? prompts.section(id)
    if (section === undefined)
      return refused(`a hook lists a section "${id}", which is not declared`)
    sections.push(section)
  }
  const { hot, maxTokens, maxToolTokens, mode = "", tools = "all", truncate = [] } = variant ?? {}
  return { sections, maxTokens, maxToolTokens, mode, tools, hot, truncate }
}

const assembled = (
  prompt: StagePrompt | undefined,
  variant: SelectedVariant | undefined,
  vars: JsonObject | undefined,
  ask: Ask,
  site: PromptSite,
  counter: TokenCounter,
): Effect.Effect<AssembledPrompt, Failure> => {
  const read = documentsOf(variant)
  return read === undefined || site.documents === undefined
    ? written(prompt, variant, vars, ask, site, counter)
    : Effect.flatMap(site.documents(read), (documents) => {
        const scope = { ...site.scope, documents }
        return written(prompt, variant, vars, ask, { ...site, scope }, counter)
      })
}

/** The documents that the sections read; undefined for none. */
const documentsOf = (variant: SelectedVariant | undefined): PromptSection["documents"] => {
  let all: Set<string> | undefined
  for (const { documents } of variant?.sections ?? []) {
    if (documents === "all") return documents
    for (const name of documents ?? []) (all ??= new Set()).add(name)
  }
  return all
}

const written = (
  prompt: StagePrompt | undefined,
  variant: SelectedVariant | undefined,
  vars: JsonObject | undefined,
  ask: Ask,
  site: PromptSite,
  counter: TokenCounter,
): Effect.Effect<AssembledPrompt, Failure> => {
  const { hooks, registry, work } = site
  const readsTools = variant?.sections.some((section) => section.tools !== undefined) === true
  const scope: ExpressionScope = {
    ...site.scope,
    vars: vars ?? ask.prompt?.vars ?? {},
    ...(readsTools ? { tools: toolsToName(registry, variant.tools) } : {}),
  }
  const sections: Array<Section> = []
  for (const section of variant?.sections ?? []) {
    const text = renderSection(section, scope)
    if (text instanceof ModelFailed) return Effect.fail(text)
    sections.push(ofPrompt(section, text, counter))
  }
  for (const { id, stable, text } of ask.prompt?.sections ?? []) {
    sections.push(counted({ id, text, stable, source: `${KIND}${work.uses}` }, counter))
  }
  const { hot, maxToolTokens, tools = "all" } = variant ?? {}
  const offers = selectOffers(ask, { tools, hot, maxToolTokens, registry, isLoop: site.isLoop })
  const mode = variant?.mode ?? ""
  const whole =
    hooks === undefined
      ? complete({ sections, offers, mode, cuts: [] }, registry, counter)
      : hooked({ sections, offers, mode, cuts: [] }, hooks, registry, counter)
  return variant?.maxTokens === undefined
    ? whole
    : Effect.flatMap(whole, (made) => withinLimit(made, variant, prompt?.name ?? "", site))
}

/** Through the hooks at `section_build`, `tools_build` and `post_assembly`. */
const hooked = (
  { cuts, mode, offers, sections }: AssembledPrompt,
  hooks: PointRunner,
  registry: KnownTools,
  counter: TokenCounter,
): Effect.Effect<AssembledPrompt, Failure> =>
  Effect.flatMap(
    Effect.forEach(sections, (section) =>
      Effect.map(hooks("section_build", section), (built) =>
        built === section ? section : counted(built, counter),
      ),
    ),
    (built) =>
      Effect.flatMap(hooks("tools_build", { offers }), (tools) =>
        Effect.flatMap(
          complete({ sections: built, offers: tools.offers, mode, cuts }, registry, counter),
          (whole) =>
            Effect.map(
              hooks("post_assembly", { sections: whole.sections, offers: whole.offers }),
              (last) => ({
                ...last,
                mode,
                cuts,
                sections: last.sections.map((section) =>
                  whole.sections.includes(section) ? section : counted(section, counter),
                ),
              }),
            ),
        ),
      ),
  )

/**
 * With a section that lists the tools that are offered by one line each. It follows the leading stable sections: what
 * changes from call to call stands after it, so that a provider may cache it.
 */
const complete = (
  whole: AssembledPrompt,
  registry: KnownTools,
  counter: TokenCounter,
): Effect.Effect<AssembledPrompt, ModelFailed> => {
  const { offers, sections } = whole
  for (const { own, tool } of offers) {
    if (own === undefined && !registry.has(tool)) {
      return Effect.fail(
        refused(`the stage offers a tool "${tool}", which the workflow does not have`),
      )
    }
  }
  const index = indexSection(offers, registry)
  if (index === undefined) return Effect.succeed(whole)
  const place = sections.findIndex(({ source, stable }) => !stable || source.startsWith(KIND))
  const from = place === -1 ? sections.length : place
  return Effect.succeed({
    ...whole,
    sections: [...sections.slice(0, from), counted(index, counter), ...sections.slice(from)],
  })
}

const withinLimit = (
  made: AssembledPrompt,
  { maxTokens: limit = Infinity, truncate }: SelectedVariant,
  name: string,
  site: PromptSite,
): Effect.Effect<AssembledPrompt, ModelFailed> =>
  Effect.flatMap(counterOf(site), (counter) => {
    const { cuts, sections, tokens } = fitSections(made.sections, truncate, limit, counter)
    if (tokens <= limit)
      return Effect.succeed(cuts.length === 0 ? made : { ...made, sections, cuts })
    const dropped = cuts.map(({ section }) => section).join(", ")
    return Effect.fail(
      new ModelFailed({
        class: "context_length",
        model: "none",
        message: `the prompt "${name}" has ${counter.exact ? "" : "about "}${tokens} tokens${dropped === "" ? "" : ` without ${dropped}`}, its mode allows ${limit}`,
      }),
    )
  })

const counterOf = ({ pipeline, work }: PromptSite): Effect.Effect<TokenCounter> => {
  const first = work.model?.choices[0]?.name
  return tokenCounter(first === undefined ? undefined : factsOf(first, pipeline.facts))
}

const lastRequest = ({ messages }: Ask): string => {
  const content = messages.findLast(({ role }) => role === "user")?.content
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n")
}

/** A hook's failure is the failure of the call that it belongs to. */
const toModelFailed = (failure: Failure): ModelFailed =>
  failure instanceof ModelFailed
    ? failure
    : new ModelFailed({ ...toFailureRecord(failure), model: "none" })
