/** What is worked out once for the examples of a compiled stage and kept as long as they are: their index, their lengths. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { BuiltIndex, ModelFailed } from "@planloom/plugin/effect"
import type { ExampleIndex, ExampleTurn } from "./StageExamples.ts"
import type { TokenCounter } from "./tokens/tokens.ts"

type Turns = ReadonlyArray<ExampleTurn>

const indexes = new WeakMap<Turns, Effect.Effect<BuiltIndex, ModelFailed>>()

/** Built with the first question that needs it; what failed is tried again by the next. */
export const indexOf = (
  turns: Turns,
  index: ExampleIndex,
): Effect.Effect<BuiltIndex, ModelFailed> => {
  const known = indexes.get(turns)
  if (known !== undefined) return known
  const documents = turns.map(({ user }, position) => ({
    id: String(position),
    fields: { summary: user },
  }))
  const alone = Semaphore.makeUnsafe(1)
  let built: BuiltIndex | undefined
  const once = Effect.suspend(() =>
    built === undefined
      ? Effect.tap(index.build(documents), (made) => Effect.sync(() => (built = made)))
      : Effect.succeed(built),
  )
  const kept = alone.withPermits(1)(once)
  indexes.set(turns, kept)
  return kept
}

const sizes = new WeakMap<Turns, Map<TokenCounter, ReadonlyArray<number>>>()

/** Tokens of each, in the order of the file. */
export const sizesOf = (turns: Turns, counter: TokenCounter): ReadonlyArray<number> => {
  const ofTurns = sizes.get(turns) ?? new Map<TokenCounter, ReadonlyArray<number>>()
  sizes.set(turns, ofTurns)
  const known = ofTurns.get(counter)
  if (known !== undefined) return known
  const counted = turns.map((turn) =>
    [...turn.before, turn].reduce(
      (sum, { assistant, user }) => sum + counter.count(user) + counter.count(assistant),
      0,
    ),
  )
  ofTurns.set(counter, counted)
  return counted
}
