/** Counts and limits the calls of an embedder where a search happens. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FailureRecord, Usage } from "@planloom/plugin/effect"

/** One call of the embedder. */
export interface EmbeddingCall {
  readonly usage: Usage
  readonly ms: number
  readonly failure?: FailureRecord
}

/** Counts the calls of a search where it happens. */
export interface EmbeddingObserver {
  /** About how many tokens the texts have. */
  readonly estimate: (texts: ReadonlyArray<string>) => number
  /** Why no call of about so many tokens may be made. */
  readonly refuses: (tokens: number) => FailureRecord | undefined
  /** Makes a call of about so many tokens within the host's budget; `refused` gives the result without it. */
  readonly within: <A>(
    tokens: number,
    call: (book: (call: EmbeddingCall) => void) => Effect.Effect<A>,
    refused: (failure: FailureRecord) => A,
  ) => Effect.Effect<A>
  readonly called: (call: EmbeddingCall) => void
  /** The search goes by words alone. */
  readonly degraded: (failure: FailureRecord) => void
  /** Epoch milliseconds. */
  readonly clock: () => number
}

const unobserved: EmbeddingObserver = {
  estimate: () => 0,
  refuses: () => undefined,
  within: (_, call) => call(() => undefined),
  called: () => undefined,
  degraded: () => undefined,
  clock: Date.now,
}

/** Of the call that searches now: an index may outlive the call that built it. */
export const EmbeddingObserver = Context.Reference<EmbeddingObserver>(
  "@planloom/core/EmbeddingObserver",
  { defaultValue: () => unobserved },
)
