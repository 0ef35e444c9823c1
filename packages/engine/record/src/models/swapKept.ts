/** Swaps of the models of a loaded workflow that stay in a store: checked, kept, and taken by this process at once. */
import * as Effect from "effect/Effect"
import type { StoreFailed } from "@planloom/plugin/effect"
import { SwapRefused, type ModelRegistry } from "@planloom/core"
import type { SwapReason, SwapTarget } from "@planloom/core/internal"
import type { KeptSwap, KeptSwaps } from "./KeptSwaps.ts"

/** The workflow whose models are swapped, by name, with its models. */
interface Swapping {
  readonly name: string
  readonly models: ModelRegistry
}

/** Fails with `SwapRefused` for models that the workflow cannot use or that do not answer now; nothing has changed then. */
export const swapKept = (
  kept: KeptSwaps,
  { models: registry, name }: Swapping,
  target: SwapTarget,
  models: ReadonlyArray<string>,
  reason: SwapReason,
): Effect.Effect<KeptSwap, StoreFailed | SwapRefused> =>
  Effect.gen(function* () {
    registry.follow(yield* kept.current(name))
    const proposed = yield* refusable(() => registry.propose(target, models))
    yield* registry.offered(models)
    const swap = yield* kept.put(name, { ...proposed, ...reason })
    registry.follow(yield* kept.current(name))
    return swap
  })

/** Undefined when no swap is in force. */
export const undoKept = (
  kept: KeptSwaps,
  { models: registry, name }: Swapping,
  reason: SwapReason,
): Effect.Effect<KeptSwap | undefined, StoreFailed | SwapRefused> =>
  Effect.gen(function* () {
    const swap = yield* kept.undo(name, reason, (target) => registry.written(target))
    registry.follow(yield* kept.current(name))
    return swap
  })

/** Work that throws `SwapRefused`, as an effect that fails with it. */
export const refusable = <A>(work: () => A): Effect.Effect<A, SwapRefused> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error
      return Effect.fail(error)
    }
  })
