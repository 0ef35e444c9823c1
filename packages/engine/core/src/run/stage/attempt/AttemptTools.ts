/** The tool calls of an attempt: the attempt as their site. */
import * as Effect from "effect/Effect"
import {
  type Answer,
  type CallRecord,
  type Failure,
  type FailureRecord,
  type GiveText,
  type Json,
  type JsonObject,
  type Question,
  type Repair,
  type StageContext,
  type StageFailed,
  type TextEmbedder,
  type TextReranker,
  type ToolFailed,
} from "@planloom/plugin/effect"
import { observerAt } from "../../../model/recordSearch.ts"
import { EmbeddingObserver } from "../../../pipeline/EmbeddingObserver.ts"
import { startNow } from "../../../pipeline/startNow.ts"
import { CallsOfStage } from "../../../tool/identity/CallsOfStage.ts"
import { StageCalls } from "../../../tool/identity/StageCalls.ts"
import type { ToolModel, ToolSite } from "../../../tool/ToolCallRequest.ts"
import { documentsModule, paramsModule, toolModule } from "../../lateModules.ts"
import type { RunState } from "../../RunState.ts"
import { timeLimit } from "../../policy/timeLimit.ts"
import { noSession } from "../../session/sessionView.ts"
import type { KindOccurrence } from "../Occurrence.ts"
import type { Shown } from "../../shown/ShownSite.ts"
import { askNow, waitOf } from "../question.ts"
import { AttemptModel } from "./AttemptModel.ts"
import { toolModel } from "./toolModel.ts"

const none: JsonObject = {}
const nothing: ReadonlyArray<string> = []
const noRepairs: ReadonlyArray<Repair> = []

export abstract class AttemptTools extends AttemptModel implements ToolSite {
  abstract readonly index: StageContext["index"]
  abstract readonly text: GiveText
  abstract readonly variant: StageContext["variant"]
  abstract shown<A extends Json>(value: A): Effect.Effect<Shown<A>, StageFailed>
  abstract shownAs<A extends Json>(name: string, value: A): Effect.Effect<Shown<A>, StageFailed>
  /** A question as it may be put. */
  protected abstract asked(question: Question): Effect.Effect<Question, StageFailed>

  declare private stageCalls: StageCalls | undefined

  constructor(occurrence: KindOccurrence, attempt: number, previous: FailureRecord | undefined) {
    super(occurrence, attempt, previous)
    this.stageCalls = undefined
  }

  get toolCalls(): StageCalls | undefined {
    return (this.stageCalls ??= this.makeStageCalls())
  }

  private makeStageCalls(): StageCalls {
    const { attemptPath, occurrence, path, previous } = this
    const { pipeline, state } = this.frame
    return new StageCalls({
      run: state.equalCalls,
      stage: (occurrence.toolCalls ??= new CallsOfStage()),
      path,
      attemptPath,
      tools: () => this.registry,
      previous,
      hiding: state.hiding,
      workflow: state.numberOf(pipeline),
      keepsResults: state.keepsResults,
    })
  }

  get user(): JsonObject {
    return this.frame.state.user
  }

  get callTool(): StageContext["callTool"] {
    const embedder = this.frame.pipeline.index?.embedder
    return (call) =>
      Effect.flatMapEager(toolModule(), ({ callTool }) =>
        Effect.suspend(() =>
          callTool({
            site: this,
            registry: this.registry,
            tool: call.tool,
            params: call.params,
            inputs: call.inputs ?? none,
            key: call.key,
            number: this.startCall(),
            repair: call.repair,
            reuse: call.reuse,
            approve: call.approve === true,
            language: call.language,
            settled: call.settled,
            open: call.open ?? nothing,
            refusal: call.refusal,
            observer: embedder === undefined ? undefined : this.toolObserver(embedder, call.key),
            making: undefined,
            repairs: noRepairs,
            name: undefined,
          }),
        ),
      )
  }

  readDocuments(names: ReadonlySet<string> | "all"): Effect.Effect<JsonObject, Failure> {
    return Effect.flatMap(documentsModule(), ({ Documents }) =>
      (this.documents ??= new Documents(this)).read(names),
    )
  }

  get prepareCall(): StageContext["prepareCall"] {
    return (call) =>
      Effect.mapEager(paramsModule(), ({ prepareCall }) =>
        prepareCall(this.registry.get(call.tool)?.tool, call, this),
      )
  }

  get workspace(): string {
    return this.frame.state.workspace
  }

  get roots(): ReadonlyArray<string> {
    return this.frame.state.roots
  }

  /** A tool's call is recorded as a whole; its searches only count. */
  get toolIndex(): StageContext["index"] {
    return this.frame.pipeline.index?.build ?? this.index
  }

  toolEmbedder(id: string, key: string): TextEmbedder | undefined {
    const found = this.frame.pipeline.embedder(id)
    if (found === undefined) return undefined
    const observer = observerAt(
      { site: this, facts: this.frame.pipeline.facts, model: found.model },
      `embedder:${key}:${id}`,
    )
    const observed = <A>(call: Effect.Effect<A>) =>
      Effect.provideService(call, EmbeddingObserver, observer)
    return {
      ...found,
      embed: (texts) => observed(found.embed(texts)),
      without: (reason) => observed(found.without(reason)),
    }
  }

  toolReranker(id: string, key: string): TextReranker | undefined {
    const found = this.frame.pipeline.reranker(id)
    if (found === undefined) return undefined
    const { facts } = this.frame.pipeline
    const observer = observerAt(
      { site: this, facts, model: found.model, operation: "rerank" },
      `reranker:${key}:${id}`,
    )
    return {
      ...found,
      rerank: (query, texts) =>
        Effect.provideService(found.rerank(query, texts), EmbeddingObserver, observer),
    }
  }

  modelAt(name: string): ToolModel | undefined {
    return toolModel(this, name)
  }

  get runCalls(): ReadonlyArray<CallRecord> {
    return this.frame.state.calls
  }

  get inputs(): JsonObject {
    return this.frame.scope.inputs
  }

  get session(): JsonObject {
    return (this.frame.scope["session"] as JsonObject | undefined) ?? noSession
  }

  keep<A extends Json>(name: string, computed: Effect.Effect<A, ToolFailed>) {
    return this.frame.state.journal.step(name, computed)
  }

  placed<A, E>(source: string, tool: string, call: () => Effect.Effect<A, E>): Effect.Effect<A, E> {
    const { onPlace } = this.frame.state
    return onPlace === undefined ? call() : this.followed(`${source}/${tool}`, call, onPlace)
  }

  private followed<A, E>(
    component: string,
    call: () => Effect.Effect<A, E>,
    onPlace: NonNullable<RunState["onPlace"]>,
  ): Effect.Effect<A, E> {
    const { path, stage, work } = this
    return Effect.suspend(() => {
      onPlace({ path, stage, component })
      return Effect.onExitPrimitive(startNow(call), () => {
        onPlace({ path, stage, component: work.component })
        return undefined
      })
    })
  }

  within<A>(call: Effect.Effect<A, ToolFailed>, ms: number, late: () => StageFailed) {
    return timeLimit(call, ms, this.frame.state, late)
  }

  askNow(question: Question, name: string): Effect.Effect<Answer, StageFailed> {
    const site = { attemptPath: name, path: this.path, clock: () => this.clock() }
    return Effect.flatMap(this.asked(question), (shown) =>
      Effect.suspend(() => askNow(this.frame.state, this.stage, waitOf(shown, site))),
    )
  }

  private toolObserver(model: string, key: string): EmbeddingObserver {
    return observerAt({ site: this, facts: this.frame.pipeline.facts, model }, `tool:${key}`)
  }
}
