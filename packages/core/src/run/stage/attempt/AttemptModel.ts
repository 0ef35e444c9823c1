/** The model of a stage in one attempt, as the contract's `ModelClient`: what asks is loaded with the first question. */
import * as Effect from "effect/Effect"
import type { JsonObject, ModelClient, ModelFailed, StageContext } from "@planloom/plugin/effect"
import { recordSearch, type Hits, type RecordedSearch } from "../../../model/recordSearch.ts"
import { asksModule } from "../../lateModules.ts"
import { Attempt } from "./Attempt.ts"
import type { ModelSite } from "./ModelSite.ts"

export abstract class AttemptModel extends Attempt implements ModelSite {
  private client: ModelClient | undefined

  /** For the tools that a model calls. */
  abstract readonly callTool: StageContext["callTool"]

  /** The same attempt with calls named under `path`, and without the prompt and examples of the stage. */
  apart(path: string, more: PropertyDescriptorMap = {}): AttemptModel {
    const work = { ...this.work, prompt: undefined, examples: undefined }
    return Object.create(this, {
      attemptPath: { value: path },
      work: { value: work },
      client: { value: undefined, writable: true },
      counts: { value: undefined, writable: true },
      ...more,
    }) as AttemptModel
  }

  get model(): ModelClient {
    return (this.client ??= this.makeClient())
  }

  private makeClient(): ModelClient {
    let made: ModelClient | undefined
    const asks = <A, E>(use: (asks: ModelClient) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() =>
        made === undefined
          ? Effect.flatMapEager(asksModule(), ({ ModelAsks }) =>
              use((made ??= new ModelAsks(this))),
            )
          : use(made),
      )
    return {
      text: (ask) => asks((all) => all.text(ask)),
      json: (ask, output) => asks((all) => all.json(ask, output)),
      agent: (ask, limits) => asks((all) => all.agent(ask, limits)),
    }
  }

  /** Records a search that calls an embedder; one by words alone is a function of what it is given. */
  get recorded(): RecordedSearch {
    const { facts, index } = this.frame.pipeline
    const model = index?.embeddings?.model
    return <Found extends Hits>(about: () => JsonObject, live: Effect.Effect<Found, ModelFailed>) =>
      model === undefined
        ? live
        : Effect.suspend(() =>
            recordSearch({ site: this, facts, model }, String(this.next("search")), about, live),
          )
  }
}
