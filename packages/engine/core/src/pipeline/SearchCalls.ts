/** Calls of the service of a search, an embedder or a reranker: counted, within budgets, and none for a while after a failure. */
import * as Effect from "effect/Effect"
import {
  toFailureRecord,
  type FailureRecord,
  type ModelFailed,
  type Usage,
} from "@planloom/plugin/effect"
import { EmbeddingObserver } from "./EmbeddingObserver.ts"

/** Time after a failed call in which no other is made, so that each search does not wait for a service that is away. */
const PAUSE_MS = 30_000

/** The result of a call, with the tokens that the service counted. */
export interface Counted {
  readonly tokens?: number
}

export class SearchCalls {
  private readonly model: string
  /** The result of a call in words, for failures: `vectors`. */
  private readonly gives: string
  private pause: { readonly until: number; readonly failure: FailureRecord } | undefined

  constructor(model: string, gives: string) {
    this.model = model
    this.gives = gives
  }

  /** Makes a call of these texts; undefined when the search has to go without it, which is emitted. */
  make<A extends Counted>(
    texts: ReadonlyArray<string>,
    call: Effect.Effect<A, ModelFailed>,
  ): Effect.Effect<A | undefined> {
    return Effect.flatMap(EmbeddingObserver, (observer) => {
      const without = (failure: FailureRecord) => {
        observer.degraded(failure)
        return undefined
      }
      const began = observer.clock()
      if (this.pause !== undefined && this.pause.until > began) {
        return Effect.succeed(without(this.pause.failure))
      }
      const estimated = observer.estimate(texts)
      const refused = observer.refuses(estimated)
      if (refused !== undefined) return Effect.succeed(without(refused))
      return observer.within(
        estimated,
        (book): Effect.Effect<A | undefined> => {
          const called = (usage: Usage, failure?: FailureRecord) => {
            const made = {
              usage,
              ms: observer.clock() - began,
              ...(failure === undefined ? {} : { failure }),
            }
            book(made)
            observer.called(made)
          }
          return Effect.matchEffect(call, {
            onFailure: (given) =>
              Effect.sync(() => {
                const failure = toFailureRecord(given)
                this.pause = { until: observer.clock() + PAUSE_MS, failure }
                called({ input: 0, output: 0 }, failure)
                return without(failure)
              }),
            onSuccess: (given) =>
              Effect.sync(() => {
                this.pause = undefined
                called(
                  given.tokens === undefined
                    ? { input: estimated, output: 0, estimated: true }
                    : { input: given.tokens, output: 0 },
                )
                return given
              }),
          }).pipe(
            Effect.onInterrupt(() =>
              Effect.sync(() =>
                called(
                  { input: estimated, output: 0, estimated: true },
                  {
                    class: "cancelled",
                    model: this.model,
                    message: `the call was cancelled before its ${this.gives} arrived`,
                  },
                ),
              ),
            ),
          )
        },
        without,
      )
    })
  }
}
