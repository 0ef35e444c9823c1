/** Work of the questions of one attempt: calls of each model, continuations, repairs, and turns of a loop. */
import type { Asking, Continuations } from "@planloom/plugin/effect"
import {
  factsOf,
  outputLimit,
  worstCost,
  type Facts,
  type ModelFacts,
} from "@planloom/plugin/facts"
import type { ResolvedModel } from "@planloom/core/internal"
import {
  addWork,
  exactly,
  greatestOf,
  noWork,
  plus,
  scaled,
  timesWork,
  type Range,
  type Work,
} from "./Work.ts"

/** A model that is asked, and the tokens of the first request to it. */
export interface AskedModel {
  readonly name: string
  readonly facts: ModelFacts | undefined
  readonly prompt: Range
  /** Requests of one call for JSON. */
  readonly forms: number
  /** Requests that may continue a reply. */
  readonly continues: Continuations | undefined
}

/** `prompt`: the tokens of the first request. */
export const askedModel = (
  { name, provider }: ResolvedModel["choices"][number],
  options: ResolvedModel["options"],
  facts: Facts,
  prompt: Range,
): AskedModel => ({
  name,
  facts: factsOf(name, facts),
  prompt,
  forms: provider.forms ?? 1,
  continues: provider.continues?.(options),
})

/** The place of the questions. */
export interface AskSite {
  readonly models: ReadonlyArray<AskedModel>
  readonly maxTokens: number | undefined
  readonly onCut: ResolvedModel["onCut"]
  /** Whether a reply that cannot be used is sent back once. */
  readonly repair: boolean
  /** Whether a gate reads replies: it could not review a continuation. */
  readonly isGated: boolean
}

/** The work of the questions, by what it is for. */
export interface AskWork {
  readonly asks: Work
  readonly continuations: Work
  readonly repairs: Work
  /** Texts that a gate reads: each model of each question writes one. */
  readonly replies: Range
}

/** Calls that continue one reply, besides the first call. */
const CONTINUATIONS = 4

/** Tokens of a request to continue: its words, and the last ones of the text. */
const CONTINUE: Range = { least: 40, most: 400 }

/** Tokens of a request to correct a reply: its words, and the issues that it names. */
const CORRECT: Range = { least: 60, most: 2700 }

/** Tokens of a turn besides its reply: the results of its calls are known in the run only. */
const TURN: Range = { least: 0, most: Infinity }

export const askWork = (asking: Asking, site: AskSite): AskWork => {
  const times = exactly(asking.times ?? 1)
  const { models } = site
  const limit = asking.maxTokens ?? site.maxTokens
  const isReply = asking.isReply === true
  const one = (model: AskedModel, grown: Range): Work =>
    callWork(model, limit, grown, asking.way === "json" ? model.forms - 1 : 0)
  /** One call, to the model whose reply it is about. */
  const again = (grown: (reply: Range) => Range): Work =>
    greatestOf(models.map((model) => one(model, grown(replyOf(model, limit)))))
  const all = (grown: (reply: Range) => Range): Work =>
    addWork(models.map((model) => one(model, grown(replyOf(model, limit)))))
  const first = all(() => exactly(0))
  const turns = asking.turns ?? Infinity
  const continues = asking.way === "text" && site.onCut === "continue" && !(isReply && site.isGated)
  return {
    asks: timesWork(asking.way === "agent" ? loopWork(first, all, turns) : first, times),
    continuations: continues
      ? timesWork(
          addWork(
            Array.from({ length: CONTINUATIONS }, (_, count) =>
              again((reply) => plus(scaled(reply, exactly(count + 1)), CONTINUE)),
            ),
          ),
          times,
        )
      : noWork,
    repairs:
      asking.way === "json" && site.repair
        ? timesWork(
            again((reply) => plus(reply, CORRECT)),
            times,
          )
        : noWork,
    // The texts of a value pass a gate when they are shown.
    replies:
      isReply && asking.way !== "json"
        ? exactly(models.length * (asking.way === "agent" ? turns : 1) * (asking.times ?? 1))
        : exactly(0),
  }
}

/** Each turn sends what the turns before it said. */
const loopWork = (
  first: Work,
  all: (grown: (reply: Range) => Range) => Work,
  turns: number,
): Work => {
  if (!Number.isFinite(turns)) {
    return timesWork(first, { least: 1, most: Infinity })
  }
  const later = Array.from({ length: Math.max(0, turns - 1) }, (_, turn) =>
    all((reply) => plus(scaled(reply, exactly(turn + 1)), TURN)),
  )
  return addWork([...(turns < 1 ? [] : [first]), ...later])
}

/** Tokens of the longest reply, which each request of it may write; none where no limit is known, as the least. */
const replyOf = ({ continues, facts }: AskedModel, limit: number | undefined): Range => {
  const written = outputLimit(limit, facts) ?? 0
  return { least: written, most: written * (1 + (continues?.most ?? 0)) }
}

/** All requests of one call; each that continues a reply sends what the ones before it wrote. */
const callWork = (
  model: AskedModel,
  limit: number | undefined,
  grown: Range,
  refusals: number,
): Work => {
  const first = { ...requestWork(model, limit, grown), refusals: exactly(refusals) }
  const more = Array.from({ length: model.continues?.most ?? 0 }, (_, count) => {
    const written = (outputLimit(limit, model.facts) ?? 0) * (count + 1)
    return requestWork(model, limit, plus(grown, exactly(written)))
  })
  return addWork([first, timesWork(addWork(more), perhaps)])
}

const perhaps: Range = { least: 0, most: 1 }

/** No request and no reply is longer than what the model reads at once, unless its service adds texts. */
const requestWork = (
  { continues, facts, prompt }: AskedModel,
  limit: number | undefined,
  grown: Range,
): Work => {
  const context = facts?.context ?? Infinity
  const output = outputLimit(limit, facts)
  const input = plus(prompt, grown)
  const least = { input: Math.min(input.least, context), output: output ?? 0 }
  const most = {
    input: continues?.adds === "open" ? Infinity : Math.min(input.most, context),
    output: output ?? context,
  }
  const price = worstCost(least.input, least.output, facts)
  return {
    calls: exactly(1),
    tokens: { least: least.input + least.output, most: most.input + most.output },
    cost:
      price === undefined
        ? undefined
        : { least: price, most: costOf(most.input, most.output, facts, price) },
    refusals: exactly(0),
    toolCalls: exactly(0),
  }
}

const costOf = (
  input: number,
  output: number,
  facts: ModelFacts | undefined,
  least: number,
): number => {
  if (Number.isFinite(input)) return worstCost(input, output, facts) ?? least
  const { price } = facts ?? {}
  return price?.input === 0 && price.output === 0 ? 0 : Infinity
}

/** A model of which only the longest request is known. */
export const unknownPrompt = (
  model: ResolvedModel | undefined,
  facts: Facts,
): ReadonlyArray<AskedModel> =>
  (model?.choices ?? []).map((choice) =>
    askedModel(choice, model?.options, facts, { least: 0, most: Infinity }),
  )
