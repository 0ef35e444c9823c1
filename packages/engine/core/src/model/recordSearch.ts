/** Records a search that may call an embedder: its hits, and what the calls used. */
import * as Effect from "effect/Effect"
import {
  toFailureRecord,
  type FailureRecord,
  type IndexHit,
  type Json,
  type JsonObject,
  type ModelFailed,
} from "@planloom/plugin/effect"
import { costOf, factsOf, type Facts } from "@planloom/plugin/facts"
import { below, inRun } from "@planloom/plugin/segments"
import { estimateTokens } from "@planloom/prompt/tokens"
import type { CallSite } from "./CallSite.ts"
import { EmbeddingObserver, type EmbeddingCall } from "../pipeline/EmbeddingObserver.ts"

export interface SearchSite {
  readonly site: CallSite
  readonly facts: Facts
  /** Name of the model of the embedder or reranker. */
  readonly model: string
  /** Of a reranker. */
  readonly operation?: "rerank"
}

/** The hits of one query, or of several. */
export type Hits = ReadonlyArray<IndexHit> | ReadonlyArray<ReadonlyArray<IndexHit>>

/** Records a search, if it may call an embedder. */
export type RecordedSearch = <Found extends Hits>(
  about: () => JsonObject,
  live: Effect.Effect<Found, ModelFailed>,
) => Effect.Effect<Found, ModelFailed>

interface Outcome<Found> {
  readonly hits: Found
  readonly calls: ReadonlyArray<EmbeddingCall>
  readonly degraded?: FailureRecord
}

/** A replay returns the recorded hits, and counts and emits the calls again. `name` is unique within the attempt. */
export const recordSearch = <Found extends Hits>(
  search: SearchSite,
  name: string,
  about: () => JsonObject,
  live: Effect.Effect<Found, ModelFailed>,
): Effect.Effect<Found, ModelFailed> =>
  Effect.suspend(() => {
    const { site } = search
    const calls: Array<EmbeddingCall> = []
    let degraded: FailureRecord | undefined
    let isLive = false
    const { called, ...observer } = observerAt(search, name)
    const searching = Effect.suspend(() => {
      isLive = true
      return live
    })
    const observed = Effect.provideService(searching, EmbeddingObserver, {
      ...observer,
      called: (call) => calls.push(call),
      degraded: (failure) => (degraded ??= failure),
    }).pipe(
      // Without a record these would be lost.
      Effect.onInterrupt(() => Effect.sync(() => calls.forEach(called))),
    )
    const outcome = Effect.map(
      observed,
      (hits) =>
        ({ hits, calls, ...(degraded === undefined ? {} : { degraded }) }) as unknown as Json,
    )
    return Effect.map(
      site.record(below(site.attemptPath, "search", name), outcome, about),
      (given) => {
        const recorded = given as unknown as Outcome<Found>
        recorded.calls.forEach(called)
        if (!isLive) recorded.calls.forEach((call) => bookReplayed(search, call))
        if (recorded.degraded !== undefined) observer.degraded(recorded.degraded)
        return recorded.hits
      },
    )
  })

const bookReplayed = ({ facts, model, site }: SearchSite, { failure, usage }: EmbeddingCall) =>
  site.shared?.spentBefore({
    tokens: usage.input + usage.output,
    cost: costOf(usage, factsOf(model, facts)?.price) ?? 0,
    modelCalls: failure?.unsent === true ? 0 : 1,
    toolCalls: 0,
  })

/** Counts calls in the budgets of a call site, and emits them. `name` is unique within the attempt. */
export const observerAt = (
  { facts, model, operation, site }: SearchSite,
  name: string,
): EmbeddingObserver => {
  const { path, stage } = site
  const price = factsOf(model, facts)?.price
  let embeds = 0
  return {
    clock: () => site.clock(),
    estimate: (texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    refuses: (tokens) => {
      const cost = costOf({ input: tokens, output: 0 }, price)
      for (const ledger of site.budgets) {
        const refused = ledger.refusesModelCall(model, price !== undefined, {
          tokens,
          exact: false,
          cost,
        })
        if (refused !== undefined) return { ...refused, model }
      }
      return undefined
    },
    within: (tokens, call, refused) => {
      const { shared } = site
      if (shared === undefined) return call(() => undefined)
      const cost = costOf({ input: tokens, output: 0 }, price)
      const planned = {
        id: inRun(site.run, below(below(site.attemptPath, "search", name), "embed", embeds++)),
        model,
        priced: price !== undefined,
        most: { tokens, cost, prompt: { tokens, exact: false, cost } },
        waits: () => undefined,
      }
      const made = shared.modelCall(planned, ({ book }) =>
        call(({ failure, usage }) =>
          book({ usage, cost: costOf(usage, price), unsent: failure?.unsent === true }),
        ),
      )
      return Effect.catch(made, (failure) => Effect.sync(() => refused(toFailureRecord(failure))))
    },
    called: ({ failure, ms, usage }) => {
      const cost = costOf(usage, price)
      for (const ledger of site.budgets) {
        if (failure?.unsent !== true) ledger.spent.modelCalls++
        ledger.book(usage, cost)
      }
      site.emit({
        type: "ModelCalled",
        path,
        stage,
        model,
        operation: operation ?? "embeddings",
        usage,
        ms,
        ...(cost === undefined ? {} : { cost }),
        ...(failure === undefined ? {} : { failure }),
      })
    },
    degraded: (failure) =>
      site.emit({
        type: "SearchDegraded",
        path,
        stage,
        failure,
        ...(operation === undefined ? {} : { without: operation }),
      }),
  }
}
