/** The model of a stage in one attempt, as the contract's `ModelClient`: what asks is loaded with the first question. */
import { allCan } from "../../../pipeline/resolveModel.ts"
import * as Effect from "effect/Effect"
import type {
  Ask,
  Failure,
  FailureRecord,
  JsonObject,
  ModelClient,
  ModelFailed,
  StageContext,
} from "@planloom/plugin/effect"
import { endsIn, isBelow } from "@planloom/plugin/segments"
import { CallHooks } from "../../../hook/CallHooks.ts"
import { recordSearch, type Hits, type RecordedSearch } from "../../../model/recordSearch.ts"
import type { ResolvedModel } from "../../../pipeline/resolveModel.ts"
import { asksModule } from "../../lateModules.ts"
import type { KindOccurrence } from "../Occurrence.ts"
import { Attempt } from "./Attempt.ts"
import type { ModelSite } from "./ModelSite.ts"
import { reviewerCalls } from "./reviewerCalls.ts"
import type { NamedUse, ReviewModel } from "./reviewOne.ts"

type Asks = Omit<ModelClient, "can">

export abstract class AttemptModel extends Attempt implements ModelSite {
  declare private client: ModelClient | undefined

  constructor(occurrence: KindOccurrence, attempt: number, previous: FailureRecord | undefined) {
    super(occurrence, attempt, previous)
    this.client = undefined
  }

  /** For the tools that a model calls. */
  abstract readonly callTool: StageContext["callTool"]
  abstract readDocuments(names: ReadonlySet<string> | "all"): Effect.Effect<JsonObject, Failure>
  abstract readonly inputs: JsonObject
  abstract readonly session: JsonObject
  abstract readonly user: JsonObject

  /** The same attempt with calls named under `path`, and without the prompt and examples of the stage. */
  apart(path: string, more: PropertyDescriptorMap = {}): AttemptModel {
    const work = this.workWith(this.work.model)
    return Object.create(this, {
      attemptPath: { value: path },
      work: { value: work },
      client: { value: undefined, writable: true },
      counts: { value: undefined, writable: true },
      ...more,
    }) as AttemptModel
  }

  /**
   * The model of a reviewer, with calls named under `path`. `isInside`: the review is part of a model call, whose
   * reservation in the budgets it must not wait for.
   */
  reviewModel(path: string, { model, use }: NamedUse, isInside: boolean): ReviewModel {
    const { models, reviewerModel } = this.frame.pipeline
    const resolved =
      reviewerModel === undefined
        ? model === undefined
          ? undefined
          : models.named(model)
        : reviewerModel(use, model)
    const { cost, emit, replied, replies } = reviewerCalls(use, (event) => this.emit(event))
    const plan = this.occurrence.node.reviewerHooks?.(use)
    // Hooks of the stage are for what it says, not for those who judge that.
    const hooks = plan && new CallHooks(plan, { ...this.hookSite, emit })
    const own: AttemptModel = this.apart(path, {
      isInside: { value: isInside },
      isPlain: { value: false },
      emit: { value: emit },
      hooks: { value: hooks },
      sent: { value: undefined },
      // A reply may quote what is reviewed, and be of a text that is blocked: it is on no record, and a resume asks again.
      record: {
        value: ((name, effect, about, isHooked) => {
          if (!isBelow(name, path) || !endsIn(name, "model"))
            return this.record(name, effect, about, isHooked)
          const asked = this.onCassette.call(own, name, effect, about, isHooked)
          return this.during(replied(name, asked as typeof effect))
        }) satisfies Attempt["record"],
      },
      ...(resolved === undefined ? {} : { work: { value: this.workWith(resolved) } }),
    }) as AttemptModel
    return { client: hidden(own.model), cost, replies }
  }

  private workWith(model: ResolvedModel | undefined) {
    return { ...this.work, model, prompt: undefined, examples: undefined }
  }

  get model(): ModelClient {
    return (this.client ??= this.makeClient())
  }

  private makeClient(): ModelClient {
    let made: Asks | undefined
    const asks = <A, E>(use: (asks: Asks) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      made === undefined
        ? Effect.flatMapEager(asksModule(), ({ ModelAsks }) => use((made ??= new ModelAsks(this))))
        : use(made)
    return {
      can: (capability) => allCan(this.work.model, capability),
      text: (ask) => asks((all) => all.text(ask)),
      json: (ask, output) => asks((all) => all.json(ask, output)),
      agent: (ask, limits) => asks((all) => all.agent(ask, limits)),
    }
  }

  /** Records a search that calls an embedder; one by words alone is a function of what it is given. */
  get recorded(): RecordedSearch {
    const { facts, index } = this.frame.pipeline
    const model = index?.embedder
    return <Found extends Hits>(about: () => JsonObject, live: Effect.Effect<Found, ModelFailed>) =>
      model === undefined
        ? live
        : Effect.suspend(() =>
            recordSearch({ site: this, facts, model }, String(this.next("search")), about, live),
          )
  }
}

/** The same model, of whose replies nothing leaves. */
export const hidden = (model: ModelClient): ModelClient => ({
  can: (capability) => model.can(capability),
  text: (ask) => model.text(unshown(ask)),
  json: (ask, output) => model.json(unshown(ask), output),
  agent: (ask, limits) => model.agent(unshown(ask), limits),
})

const unshown = (ask: Ask): Ask => ({ ...ask, parts: "hidden" })
