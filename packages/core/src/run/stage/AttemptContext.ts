/** What one attempt of a stage may use: the contract's `StageContext`, bound to its place in the run. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Ask,
  type Clarified,
  type Domain,
  type Failure,
  type Feedback,
  type Json,
  type JsonObject,
  type JsonSchema,
  type ModelClient,
  type ModelFailed,
  type ModelReply,
  type Reader,
  type StageContext,
  type Tool,
} from "@planloom/plugin"
import { rejectionOf } from "@planloom/schema"
import { askJson } from "../../model/askJson.ts"
import { callModel } from "../../model/callModel.ts"
import { withoutReasoning } from "../../model/withoutReasoning.ts"
import type { ResolvedModel } from "../../pipeline/resolveModel.ts"
import { observerAt, recordSearch } from "../../model/recordSearch.ts"
import { callTool } from "../../tool/callTool.ts"
import type { ToolCallRequest } from "../../tool/ToolCallRequest.ts"
import { withExamples, type ExampleSearch } from "../../prompt/withExamples.ts"
import type { PointRunner } from "../../hook/PointRunner.ts"
import type { ReplyReader } from "../../model/ReplyReader.ts"
import { isAnswered } from "../../model/isAnswered.ts"
import { assemblePrompt, type AssembledPrompt } from "../../prompt/assemblePrompt.ts"
import { systemBlocks } from "../../prompt/systemBlocks.ts"
import { declareTools } from "../../prompt/declareTools.ts"
import { openReply, settledReply } from "../parts/openReply.ts"
import { ReplyParts } from "../parts/ReplyParts.ts"
import { ValueParts } from "../parts/ValueParts.ts"
import { noteEvent } from "./noteEvent.ts"
import { Attempt } from "./Attempt.ts"
import { RecordedIndex } from "./RecordedIndex.ts"
import { waitOf } from "./question.ts"

const only = (
  model: ResolvedModel | undefined,
  name: string | undefined,
): ResolvedModel | undefined =>
  name === undefined || model === undefined
    ? model
    : { ...model, choices: model.choices.filter((choice) => choice.name === name) }

export class AttemptContext extends Attempt implements StageContext {
  private asked = 0
  private drawn = 0
  private nested = 0
  private searches = 0

  get answers(): ReadonlyArray<Clarified> {
    return this.occurrence.answers
  }

  get user(): JsonObject {
    return this.frame.state.user
  }

  get feedback(): Feedback | undefined {
    return this.occurrence.feedback
  }

  get model(): ModelClient {
    return {
      text: (ask) =>
        ask.parts === "reply"
          ? this.reply(ask)
          : Effect.map(this.askModel(ask, undefined), (reply) => withoutReasoning(this, reply)),
      json: (ask, output) => {
        const outputs = openReply(ask, this.occurrence, this.attempt, this.asked + 1)
        const reader = outputs && new ValueParts(outputs, output.schema)
        return askJson({
          site: this,
          ask,
          output,
          repair: this.work.repair ?? this.work.model?.repair ?? true,
          call: (question, of) => this.askModel(question, output, of, reader),
        })
      },
    }
  }

  private askModel(
    ask: Ask,
    output: { readonly name: string; readonly schema: JsonSchema } | undefined,
    /** Only the model of this name. */
    of?: string,
    reader?: ReplyReader,
  ): Effect.Effect<ModelReply, ModelFailed> {
    return Effect.suspend(() => {
      const { work } = this
      const { pipeline, scope } = this.frame
      const { facts, index, limits } = pipeline
      const search = index && { index, recorded: this.recorded }
      const model = only(work.model, of)
      const name = String(++this.asked)
      return Effect.flatMap(withExamples(ask, work, scope, facts, search), (asked) =>
        Effect.flatMap(this.assembled(asked, name, model), ({ hooked, plain }) =>
          callModel({
            site: this,
            model,
            name,
            ...this.requested(hooked),
            mode: hooked.mode,
            sections: hooked.sections,
            ...(hooked === plain ? {} : { unhooked: this.requested(plain) }),
            ask: asked,
            ...(output === undefined ? {} : { output }),
            facts,
            limits,
            reader,
          }),
        ),
      )
    })
  }

  private requested({ offers, sections }: AssembledPrompt) {
    return {
      system: systemBlocks(sections),
      tools: declareTools(offers, this.frame.pipeline.tools),
    }
  }

  /** The prompt with the changes of its hooks, and without. No hook runs for a call whose outcome is recorded. */
  private assembled(
    ask: Ask,
    name: string,
    model: ResolvedModel | undefined,
  ): Effect.Effect<
    { readonly hooked: AssembledPrompt; readonly plain: AssembledPrompt },
    ModelFailed
  > {
    const { work } = this
    const { pipeline, scope, state } = this.frame
    const call = `${this.attemptPath}/model:${name}`
    const runner = this.hooks?.promptRunner(call)
    const assemble = (hooks: PointRunner | undefined) =>
      assemblePrompt(ask, {
        work,
        scope,
        pipeline,
        hooks,
        unknownMode: (mode, used) => this.unknownMode(mode, used),
      })
    const plainly = Effect.map(assemble(undefined), (plain) => ({ hooked: plain, plain }))
    if (runner === undefined) return plainly
    return Effect.flatMap(isAnswered(this, call, model?.choices ?? []), (answered) => {
      if (answered) return plainly
      const hooked = assemble(runner)
      // A recording compares the request without hooks, because a replay runs none.
      return state.cassette === undefined
        ? Effect.map(hooked, (one) => ({ hooked: one, plain: one }))
        : Effect.flatMap(assemble(undefined), (plain) =>
            Effect.map(hooked, (one) => ({ hooked: one, plain })),
          )
    })
  }

  private unknownMode(mode: string, used: string): void {
    const { path, stage } = this
    const instead = used === "" ? "the prompt alone" : `"${used}"`
    this.emit({
      type: "Noted",
      path,
      stage,
      note: "unknown_mode",
      data: { mode, used },
      audience: "user",
      text: `there is no prompt mode "${mode}"; ${instead} is used`,
    })
  }

  /** The text is the same whether or not a host reads it while it is written. */
  private reply(ask: Ask): Effect.Effect<ModelReply, ModelFailed> {
    return Effect.suspend(() => {
      const outputs = openReply(ask, this.occurrence, this.attempt, this.asked + 1)
      const reader = outputs && new ReplyParts(outputs)
      return Effect.flatMap(this.askModel(ask, undefined, undefined, reader), (given) => {
        const reply = settledReply(withoutReasoning(this, given), this.frame.state.secrets)
        return Effect.as(reader?.end(reply.text) ?? Effect.void, reply)
      })
    })
  }

  get tools(): ReadonlyArray<Tool> {
    return [...this.frame.pipeline.tools.values()].map(({ tool }) => tool)
  }

  get domains(): ReadonlyArray<Domain> {
    return this.frame.pipeline.domains
  }

  get readers(): ReadonlyArray<Reader> {
    return this.frame.pipeline.readers
  }

  // The contract's functions are getters: made only for kinds that use them, and safe to take out of the object.

  get files(): StageContext["files"] {
    const { files } = this.frame.pipeline
    return (kind) => files.get(kind) ?? []
  }

  get callTool(): StageContext["callTool"] {
    const { pipeline, state } = this.frame
    return ({ inputs, key, params, tool }) =>
      callTool({
        site: this,
        registry: pipeline.tools,
        tool,
        params,
        inputs: inputs ?? {},
        key,
        workspace: state.workspace,
        ...this.toolIndex(key),
        put: (wait) => this.put(wait),
      })
  }

  get index(): StageContext["index"] {
    const { index } = this.frame.pipeline
    return (documents) =>
      index === undefined
        ? Effect.fail(
            new StageFailed({
              class: "unavailable",
              message: `stage "${this.stage}" needs an index; declare a plugin that has one, for example @planloom/retrieval`,
            }),
          )
        : index.embeddings === undefined
          ? index.build(documents)
          : Effect.sync(() => new RecordedIndex(documents, index.build, this.recorded))
  }

  /** Records a search that calls an embedder; one by words alone is a function of what it is given. */
  private readonly recorded: ExampleSearch["recorded"] = (about, live) => {
    const { facts, index } = this.frame.pipeline
    return index?.embeddings === undefined
      ? live
      : Effect.suspend(() =>
          recordSearch(
            { site: this, facts, model: index.embeddings!.model },
            String(++this.searches),
            about,
            live,
          ),
        )
  }

  /** A tool's call is recorded as a whole; its searches only count. */
  private toolIndex(key: string): Pick<ToolCallRequest, "index" | "observer"> {
    const { facts, index } = this.frame.pipeline
    return {
      index: index?.build ?? this.index,
      observer:
        index?.embeddings &&
        observerAt({ site: this, facts, model: index.embeddings.model }, `tool:${key}`),
    }
  }

  get workflow(): StageContext["workflow"] {
    // Named as the attempt's calls are: another attempt must not be answered with what this one did.
    return (path, inputs) =>
      this.holding(
        Effect.suspend(() => {
          const number = ++this.nested
          const place = number === 1 ? this.attemptPath : `${this.attemptPath}/workflow:${number}`
          return this.occurrence.nested.workflow(this.frame, place, path, inputs)
        }),
      )
  }

  get step(): StageContext["step"] {
    return (name, effect) => this.record(`${this.attemptPath}/step:${name}`, effect)
  }

  get ask(): StageContext["ask"] {
    return (question) =>
      Effect.suspend(() => {
        const { message } = rejectionOf(question.schema ?? true) ?? {}
        return message === undefined
          ? Effect.map(this.put(waitOf(question, this)), ({ answer }) => answer)
          : Effect.fail(new StageFailed({ class: "invalid_request", message }))
      })
  }

  private draw<A extends Json>(what: string, effect: Effect.Effect<A>): Effect.Effect<A> {
    return Effect.suspend(() =>
      this.record(
        `${this.attemptPath}/${what}:${++this.drawn}`,
        effect as Effect.Effect<A, Failure>,
      ),
    ) as Effect.Effect<A>
  }

  get now(): Effect.Effect<number> {
    return this.draw(
      "now",
      Effect.sync(() => this.clock()),
    )
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

  get progress(): StageContext["progress"] {
    return (message, fraction) =>
      Effect.sync(() =>
        this.emit({
          type: "Progressed",
          path: this.path,
          stage: this.stage,
          message,
          ...(fraction === undefined ? {} : { fraction }),
        }),
      )
  }

  get note(): StageContext["note"] {
    return (note, data) =>
      Effect.sync(() => this.emit(noteEvent(this.frame.pipeline, this, note, data)))
  }
}
