/** Which of a stage's examples a model reads before the question, and how: as turns, or as a text. */
import * as Effect from "effect/Effect"
import type { Ask, IndexHit, JsonObject, Message, ModelFailed } from "@planloom/plugin/effect"
import type { ExpressionScope } from "@planloom/expression"
import { factsOf, type Facts } from "@planloom/plugin/facts"
import { indexOf, sizesOf } from "./KeptExamples.ts"
import type { ExampleIndex, ExampleTurn, StageExamples } from "./StageExamples.ts"
import { estimate, tokenCounter, type TokenCounter } from "./tokens/tokens.ts"

/** The workflow's index, and the record of a search in it. */
export interface ExampleSearch {
  readonly index: ExampleIndex
  readonly recorded: (
    about: () => JsonObject,
    live: Effect.Effect<ReadonlyArray<IndexHit>, ModelFailed>,
  ) => Effect.Effect<ReadonlyArray<IndexHit>, ModelFailed>
}

/** The stage that asks. */
export interface ExamplesSite {
  readonly examples: StageExamples | undefined
  readonly model: StageModels | undefined
}

/** The models of a stage in order; the first one counts tokens. */
export interface StageModels {
  readonly choices: ReadonlyArray<{ readonly name: string }>
}

/** The question with the examples of its stage, where it has some and wants them. */
export const withExamples = (
  ask: Ask,
  work: ExamplesSite,
  scope: ExpressionScope,
  facts: Facts,
  search: ExampleSearch | undefined,
): Effect.Effect<Ask, ModelFailed> =>
  work.examples === undefined || ask.examples === "none"
    ? Effect.succeed(ask)
    : Effect.map(shown(work.examples, work, scope, facts, search), (turns) => joined(ask, turns))

/**
 * Counted as the stage's first model counts. Where not all fit, those are kept that the index finds nearest to
 * the present text, else the first ones; what is kept stands in the order of the file.
 */
const shown = (
  examples: StageExamples,
  { model }: ExamplesSite,
  scope: ExpressionScope,
  facts: Facts,
  search: ExampleSearch | undefined,
): Effect.Effect<ReadonlyArray<ExampleTurn>, ModelFailed> => {
  const turns = examples.turns()
  const { maxTokens } = examples
  if (maxTokens === undefined) return Effect.succeed(turns)
  const first = model?.choices[0]?.name
  const known = first === undefined ? undefined : factsOf(first, facts)
  return Effect.flatMap(tokenCounter(known), (counter) => {
    const sizes = sizesOf(turns, counter)
    if (total(sizes) <= maxTokens) return Effect.succeed(turns)
    return Effect.map(ranked(turns, String(examples.user.evaluate(scope)), search), (order) =>
      fitting(turns, order, maxTokens, sizes),
    )
  })
}

/** The most tokens that the examples add to a request. */
export const exampleTokens = (
  { maxTokens, turns }: StageExamples,
  counter: TokenCounter = estimate,
): number => Math.min(total(sizesOf(turns(), counter)), maxTokens ?? Infinity)

const total = (sizes: ReadonlyArray<number>): number => sizes.reduce((sum, size) => sum + size, 0)

/** Positions, the most alike first; those the index did not find stand last, as written. */
const ranked = (
  turns: ReadonlyArray<ExampleTurn>,
  text: string,
  search: ExampleSearch | undefined,
): Effect.Effect<ReadonlyArray<number>, ModelFailed> => {
  const all = [...turns.keys()]
  if (search === undefined) return Effect.succeed(all)
  return Effect.map(
    search.recorded(
      () => ({ query: text, examples: turns.length }),
      Effect.flatMap(indexOf(turns, search.index), (built) =>
        built.search(text, { limit: turns.length }),
      ),
    ),
    (hits) => [...new Set([...hits.map(({ id }) => Number(id)), ...all])],
  )
}

/** One that is too long leaves room for others. */
const fitting = (
  turns: ReadonlyArray<ExampleTurn>,
  order: ReadonlyArray<number>,
  limit: number,
  sizes: ReadonlyArray<number>,
): ReadonlyArray<ExampleTurn> => {
  const kept = new Set<number>()
  let left = limit
  for (const position of order) {
    const tokens = sizes[position]!
    if (tokens > left) continue
    kept.add(position)
    left -= tokens
  }
  return turns.filter((_, position) => kept.has(position))
}

const joined = (ask: Ask, turns: ReadonlyArray<ExampleTurn>): Ask => {
  if (turns.length === 0) return ask
  return ask.examples === "system"
    ? {
        ...ask,
        prompt: {
          ...ask.prompt,
          sections: [
            ...(ask.prompt?.sections ?? []),
            { id: "examples", text: asText(turns), stable: false },
          ],
        },
      }
    : { ...ask, messages: [...turns.flatMap(asMessages), ...ask.messages] }
}

const asMessages = (turn: ExampleTurn): ReadonlyArray<Message> =>
  [...turn.before, turn].flatMap(({ assistant, user }): ReadonlyArray<Message> => [
    { role: "user", content: user },
    { role: "assistant", content: assistant },
  ])

const asText = (turns: ReadonlyArray<ExampleTurn>): string =>
  [
    "Examples of what a user says and what you reply:",
    ...turns.map(({ assistant, before, user }) =>
      [
        ...before.map(
          (turn) => `Before: ${JSON.stringify(turn.user)}\nYou: ${JSON.stringify(turn.assistant)}`,
        ),
        `User: ${JSON.stringify(user)}\nReply: ${assistant}`,
      ].join("\n"),
    ),
  ].join("\n\n")
