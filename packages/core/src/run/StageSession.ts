/** What one attempt of a stage may use: the contract's `StageContext`, bound to its place in the run. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  StageFailed,
  type Ask,
  type BuiltIndex,
  type Failure,
  type FailureRecord,
  type Feedback,
  type IndexDocument,
  type Json,
  type JsonObject,
  type JsonSchema,
  type ModelClient,
  type ModelReply,
  type PlanTemplate,
  type StageContext,
  type SystemBlock,
  type Tool,
  type ToolFailed,
  type RunEvent,
  type Untimed,
} from "@planloom/plugin"
import { parseDuration } from "../definition/Duration.ts"
import type { BudgetAccount } from "../model/Budget.ts"
import { callModel } from "../model/callModel.ts"
import type { CallSite } from "../model/CallSite.ts"
import { structured } from "../model/structured.ts"
import type { Block, KindWork } from "../pipeline/Pipeline.ts"
import { callTool } from "../tool/callTool.ts"
import { renderPrompt } from "../prompt/renderPrompt.ts"
import type { Frame } from "./RunState.ts"

/** What a stage may hold inside itself. Handed down from the run, because running it is the run again. */
export interface Inside {
  readonly block: (block: Block, frame: Frame) => Effect.Effect<void, StageFailed>
  readonly workflow: (
    frame: Frame,
    path: string,
    workflow: string,
    inputs: JsonObject,
  ) => Effect.Effect<JsonObject, StageFailed>
}

export class StageSession implements StageContext, CallSite {
  readonly path: string
  readonly stage: string
  readonly attempt: number
  readonly previous: FailureRecord | undefined
  readonly feedback: Feedback | undefined
  private readonly frame: Frame
  private readonly work: KindWork
  private readonly inside: Inside
  readonly accounts: ReadonlyArray<BudgetAccount>
  private asked = 0
  private drawn = 0

  constructor(given: {
    readonly frame: Frame
    readonly work: KindWork
    readonly stage: string
    readonly path: string
    readonly attempt: number
    readonly previous: FailureRecord | undefined
    readonly feedback: Feedback | undefined
    readonly accounts: ReadonlyArray<BudgetAccount>
    readonly inside: Inside
  }) {
    this.frame = given.frame
    this.work = given.work
    this.stage = given.stage
    this.path = given.path
    this.attempt = given.attempt
    this.previous = given.previous
    this.feedback = given.feedback
    this.accounts = given.accounts
    this.inside = given.inside
  }

  get run(): string {
    return this.frame.state.run
  }

  get attemptPath(): string {
    return this.attempt === 1 ? this.path : `${this.path}/attempt:${this.attempt}`
  }

  readonly clock = (): number => this.frame.state.now()

  readonly emit = (event: Untimed<RunEvent>): void => this.frame.state.emit(event)

  readonly record = <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> => this.frame.state.journal.step(name, effect)

  get model(): ModelClient {
    return {
      text: (ask) => this.ask(ask, undefined),
      json: (ask, output) => this.askJson(ask, output),
    }
  }

  private ask(
    ask: Ask,
    output: { readonly name: string; readonly schema: JsonSchema } | undefined,
  ): Effect.Effect<ModelReply, ModelFailed> {
    return Effect.suspend(() => {
      const rendered = this.system()
      if (rendered instanceof ModelFailed) return Effect.fail(rendered)
      return callModel({
        site: this,
        model: this.work.model,
        name: String(++this.asked),
        system: rendered,
        ask,
        ...(output === undefined ? {} : { output }),
        prices: this.frame.pipeline.prices,
      })
    })
  }

  private askJson(
    ask: Ask,
    output: { readonly name: string; readonly schema: JsonSchema },
  ): Effect.Effect<Json, ModelFailed> {
    return Effect.flatMap(this.ask(ask, output), (reply) => {
      const read = structured(reply.text, output.schema)
      if (read.ok) return Effect.succeed(read.value)
      return Effect.fail(
        new ModelFailed({
          class: "invalid_output",
          model: reply.model,
          message: `the reply does not fit "${output.name}": ${read.reason}`,
          detail: {
            reply: reply.text,
            issues: read.issues.map(({ message, path }) => ({ path, message })),
          },
        }),
      )
    })
  }

  private system(): ReadonlyArray<SystemBlock> | ModelFailed {
    const { prompt } = this.work
    if (prompt === undefined) return []
    const rendered = renderPrompt(prompt, this.frame.scope)
    const limit = rendered.variant.maxTokens
    if (limit !== undefined && rendered.tokens > limit) {
      return new ModelFailed({
        class: "context_length",
        model: "none",
        message: `the prompt "${prompt.name}" has about ${rendered.tokens} tokens, its mode allows ${limit}`,
      })
    }
    return rendered.system
  }

  get tools(): ReadonlyArray<Tool> {
    return [...this.frame.pipeline.tools.values()].map(({ tool }) => tool)
  }

  get templates(): ReadonlyArray<PlanTemplate> {
    return this.frame.pipeline.templates
  }

  readonly callTool: StageContext["callTool"] = (call): Effect.Effect<Json, ToolFailed> => {
    const { pipeline, state } = this.frame
    const declared = pipeline.tools.get(call.tool)?.tool.timeout
    return callTool({
      site: this,
      registry: pipeline.tools,
      tool: call.tool,
      params: call.params,
      inputs: call.inputs ?? {},
      key: call.key,
      workspace: state.workspace,
      approve: state.approve,
      timeout: declared === undefined ? undefined : parseDuration(declared),
    })
  }

  readonly index = (
    documents: ReadonlyArray<IndexDocument>,
  ): Effect.Effect<BuiltIndex, ModelFailed | StageFailed> => {
    const { index } = this.frame.pipeline
    return index === undefined
      ? Effect.fail(
          new StageFailed({
            class: "unavailable",
            message: `stage "${this.stage}" needs an index; declare a plugin that has one, for example @planloom/retrieval`,
          }),
        )
      : index.build(documents)
  }

  readonly workflow = (path: string, inputs: JsonObject): Effect.Effect<JsonObject, StageFailed> =>
    this.inside.workflow(this.frame, this.path, path, inputs)

  readonly step = <A extends Json, E extends Failure, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> => this.record(`${this.attemptPath}/step:${name}`, effect)

  private draw<A extends Json>(what: string, effect: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() =>
      this.record(
        `${this.attemptPath}/${what}:${++this.drawn}`,
        effect as Effect.Effect<A, Failure>,
      ),
    ) as Effect.Effect<A>
  }

  get now(): Effect.Effect<number> {
    return this.draw("now", Effect.sync(this.clock))
  }

  get random(): Effect.Effect<number> {
    return this.draw("random", Effect.sync(Math.random))
  }

  get id(): Effect.Effect<string> {
    return this.draw(
      "id",
      Effect.sync(() => crypto.randomUUID()),
    )
  }

  readonly progress = (message: string, fraction?: number): Effect.Effect<void> =>
    Effect.sync(() =>
      this.emit({
        type: "Progressed",
        path: this.path,
        stage: this.stage,
        message,
        ...(fraction === undefined ? {} : { fraction }),
      }),
    )

  readonly note = (note: string, data: Json): Effect.Effect<void> =>
    Effect.sync(() => this.emit({ type: "Noted", path: this.path, stage: this.stage, note, data }))
}
