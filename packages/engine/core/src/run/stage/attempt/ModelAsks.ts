/** The model calls of one attempt: prompts are assembled, calls recorded, replies read. */
import * as Effect from "effect/Effect"
import {
  isCut,
  type Ask,
  type JsonSchema,
  type ModelClient,
  type ModelFailed,
  type ModelReply,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { AgentSite, Asked, LoopReply } from "../../../agent/AgentSite.ts"
import {
  assemblePrompt,
  keptPrompt,
  type AssembledPrompt,
  type PromptSite,
  declareTools,
  systemBlocks,
  withExamples,
} from "@planloom/prompt"
import { askJson } from "../../../reply/askJson.ts"
import { completeReply } from "../../../reply/completeReply.ts"
import type { ReplyReader } from "../../../reply/parts/ReplyReader.ts"
import type { ReplyGate } from "../../../reply/parts/throughGate.ts"
import { noteMissingReasoning } from "../../../reply/ReplySite.ts"
import { withoutReasoning } from "../../../reply/text/withoutReasoning.ts"
import { loadedOnce } from "@planloom/plugin/late"
import type { CallHooks } from "../../../hook/CallHooks.ts"
import { callModel } from "../../../model/callModel.ts"
import { isAnswered } from "../../../model/isAnswered.ts"
import { onlyChoice, type ResolvedModel } from "../../../pipeline/resolveModel.ts"
import { passRequest } from "../../parts/passRequest.ts"
import { replyTo, valueReader, type ReplyCall } from "../../parts/replyTo.ts"
import { LoopSite } from "./LoopSite.ts"
import { LastPrompt } from "./LastPrompt.ts"
import type { ModelSite } from "./ModelSite.ts"
import { refusedOutput } from "./refusedOutput.ts"
import { takeNewest } from "./takeNewest.ts"
import { noteCuts, noteUnknownMode } from "./promptNotes.ts"

/** Tools besides those of an ask, by what the model is offered. */
type More = Parameters<AgentSite["ask"]>[1]

/** Loaded with the first tool loop. */
const agentModule = loadedOnce(() => import("../../../agent/AgentLoop.ts"))

/** Differences of one request to a model from a plain one. */
interface Ways {
  readonly output?: { readonly name: string; readonly schema: JsonSchema }
  /** Only the model of this name. */
  readonly of?: string | undefined
  /** Gives what is declared besides the tools of the ask; set for the turns of a tool loop. */
  readonly more?: More | undefined
  /** Takes what the model is offered. */
  readonly offered?: ((offers: Asked["offers"]) => void) | undefined
  /** Gets what the model reads. */
  readonly prompted?: LastPrompt | undefined
  /** Reads the reply while it is written. */
  readonly reader?: ReplyReader | undefined
  readonly gate?: ReplyGate | undefined
}

/** A prompt with the changes of its hooks. */
interface HookedPrompt extends AssembledPrompt {
  /** The same without them, where a recording compares it. */
  readonly plain?: AssembledPrompt
}

/** Its effects do nothing before they run, and ask anew each time. */
export class ModelAsks implements Omit<ModelClient, "can"> {
  private readonly site: ModelSite
  private asked = 0

  constructor(site: ModelSite) {
    this.site = site
  }

  text(ask: Ask): ReturnType<ModelClient["text"]> {
    return Effect.suspend(() => {
      const prompted = new LastPrompt()
      return ask.parts === "reply"
        ? Effect.map(
            replyTo(ask, this.replyCall, (reader, gate) =>
              Effect.flatMap(this.asking(ask, { reader, gate, prompted }), (reply) =>
                this.complete(ask, reply, gate === undefined),
              ),
            ),
            (reply) => this.noted(reply, prompted),
          )
        : Effect.flatMap(this.asking(ask, { prompted }), (reply) =>
            isIncomplete(reply)
              ? Effect.map(this.complete(ask, reply, true), (whole) => this.shown(whole, prompted))
              : Effect.succeed(this.shown(reply, prompted)),
          )
    })
  }

  private shown(reply: ModelReply, prompted: LastPrompt): ModelReply {
    return this.noted(withoutReasoning(this.site, reply), prompted)
  }

  /** The reply. A note says if it lacks the reasoning that its prompt asks for. */
  private noted(reply: ModelReply, prompted: LastPrompt): ModelReply {
    const { site } = this
    if (reply.reasoning === "" && site.hidesReasoning !== true && prompted.asksReasoning()) {
      noteMissingReasoning(site, reply.model)
    }
    return reply
  }

  /** The whole text of a reply that was cut. A gate reads one request: it could not review a continuation. */
  complete(
    ask: Ask,
    reply: ModelReply,
    continues: boolean,
  ): Effect.Effect<ModelReply, ModelFailed> {
    if (!isIncomplete(reply)) return Effect.succeed(reply)
    const { site } = this
    const again = (question: Ask, of: string) => this.asking(question, { of })
    const onCut = site.work.model?.onCut ?? "note"
    return completeReply({ site, ask, onCut, again: continues ? again : undefined }, reply)
  }

  json(...[ask, output]: Parameters<ModelClient["json"]>): ReturnType<ModelClient["json"]> {
    return Effect.suspend(() => {
      const { site } = this
      const { work } = site
      const refused = refusedOutput(output, work.model)
      if (refused !== undefined) return Effect.fail(refused)
      const reader =
        ask.parts === "reply" ? valueReader(ask, this.replyCall, output.schema) : undefined
      const prompted = new LastPrompt()
      return askJson({
        site,
        ask,
        output,
        repair: work.repair ?? work.model?.repair ?? true,
        asksReasoning: () => prompted.asksReasoning(),
        call: (question, of) => {
          if (of !== undefined) reader?.correct()
          return this.asking(question, { output, reader, of, prompted })
        },
      })
    })
  }

  agent(...[ask, limits]: Parameters<ModelClient["agent"]>): ReturnType<ModelClient["agent"]> {
    return Effect.suspend(() =>
      Effect.flatMapEager(agentModule(), ({ AgentLoop }) =>
        new AgentLoop(ask, limits, new LoopSite(this.site, limits, this)).turn(),
      ),
    )
  }

  private get replyCall(): ReplyCall {
    return { site: this.site, number: this.asked + 1 }
  }

  /** One turn of a tool loop; only a turn without calls can be the reply of the stage. */
  askInLoop(ask: Ask, more: More): Effect.Effect<Asked, ModelFailed> {
    let offers: Asked["offers"] = []
    const offered = (all: Asked["offers"]) => {
      offers = all
    }
    if (ask.parts !== "reply") {
      const { site } = this
      const turn = () =>
        Effect.map(this.asking(ask, { more, offered }), (reply) => ({
          reply: withoutReasoning(site, reply),
          offers,
        }))
      if (site.occurrence.node.gate === undefined) return turn()
      const name = below(site.attemptPath, "model", this.asked + 1)
      return Effect.flatMap(passRequest({ site, name }), turn)
    }
    const turn = replyTo(
      ask,
      this.replyCall,
      (reader, gate) => this.asking(ask, { reader, gate, more, offered }),
      ({ toolCalls, unread }) => toolCalls.length === 0 && unread === undefined,
    )
    return Effect.map(turn, (reply) => ({ reply, offers }))
  }

  /** Begins when this is called, not when the effect runs: suspend it. */
  private asking(ask: Ask, ways: Ways): Effect.Effect<LoopReply, ModelFailed> {
    // The first call has the models that its strategy was selected by, and the tools that the stage took when it started.
    const newest = this.asked === 0 ? undefined : takeNewest(this.site, ways.more !== undefined)
    return newest === undefined
      ? this.askOnce(ask, ways)
      : Effect.andThen(
          newest,
          Effect.suspend(() => this.askOnce(ask, ways)),
        )
  }

  private askOnce(ask: Ask, ways: Ways): Effect.Effect<LoopReply, ModelFailed> {
    const { site } = this
    const { work } = site
    const { pipeline, scope } = site.frame
    const { facts, index } = pipeline
    const number = ++this.asked
    if (work.examples === undefined) return this.askWith(ask, ways, number)
    const search = index && { index, recorded: site.recorded }
    return Effect.flatMapEager(withExamples(ask, work, scope, facts, search), (asked) =>
      this.askWith(asked, ways, number),
    )
  }

  private askWith(ask: Ask, ways: Ways, number: number): Effect.Effect<LoopReply, ModelFailed> {
    const model = onlyChoice(this.site.work.model, ways.of)
    return Effect.flatMapEager(
      this.assembled(ask, ways.more !== undefined, model, number),
      (prompt) => this.askPrompted(ask, ways, model, number, prompt),
    )
  }

  private askPrompted(
    ask: Ask,
    { gate, more, offered, output, prompted, reader }: Ways,
    model: ResolvedModel | undefined,
    number: number,
    prompt: HookedPrompt,
  ): Effect.Effect<LoopReply, ModelFailed> {
    const { site } = this
    const { plain } = prompt
    noteCuts(site, prompt)
    offered?.(prompt.offers)
    if (prompted !== undefined) {
      prompted.sections = prompt.sections
      prompted.messages = ask.messages
    }
    return callModel({
      site,
      model,
      number,
      system: systemBlocks(prompt.sections),
      tools: this.declared(prompt, more),
      mode: prompt.mode,
      sections: prompt.sections,
      unhooked: plain && {
        system: systemBlocks(plain.sections),
        tools: this.declared(plain, more),
      },
      ask,
      output,
      limits: site.frame.pipeline.limits,
      reader,
      gate,
    })
  }

  private declared({ declared, offers }: AssembledPrompt, more: More | undefined) {
    return more === undefined && declared !== undefined
      ? declared
      : declareTools(offers, this.site.registry, more?.(offers))
  }

  /** The prompt with the changes of its hooks. No hook runs for a call whose outcome is recorded. */
  private assembled(
    ask: Ask,
    isLoop: boolean,
    model: ResolvedModel | undefined,
    number: number,
  ): Effect.Effect<HookedPrompt, ModelFailed> {
    const { hooks } = this.site
    return hooks === undefined
      ? this.unhooked(ask, isLoop)
      : this.betweenHooks(hooks, ask, isLoop, model, number)
  }

  private unhooked(
    ask: Ask,
    isLoop: boolean,
    unknownMode?: PromptSite["unknownMode"],
  ): Effect.Effect<AssembledPrompt, ModelFailed> {
    const { registry, work } = this.site
    return (
      keptPrompt(ask, work, registry) ?? assemblePrompt(ask, this.promptSite(isLoop, unknownMode))
    )
  }

  private betweenHooks(
    hooks: CallHooks,
    ask: Ask,
    isLoop: boolean,
    model: ResolvedModel | undefined,
    number: number,
  ): Effect.Effect<HookedPrompt, ModelFailed> {
    const { site } = this
    const call = below(site.attemptPath, "model", number)
    const runner = hooks.promptRunner(call)
    if (runner === undefined) return this.unhooked(ask, isLoop)
    return Effect.flatMap(isAnswered(site, call, model?.choices ?? []), (answered) => {
      if (answered) return this.unhooked(ask, isLoop)
      const hooked = assemblePrompt(ask, { ...this.promptSite(isLoop), hooks: runner })
      // A recording compares the request without hooks, because a replay runs none.
      const { cassette } = site.frame.state
      return cassette === undefined || cassette.runsHooks === true
        ? hooked
        : Effect.flatMap(
            this.unhooked(ask, isLoop, () => {}),
            (plain) => Effect.map(hooked, (one) => ({ ...one, plain })),
          )
    })
  }

  /** The stage as the site of a prompt without hooks. */
  private promptSite(
    isLoop: boolean,
    unknownMode: PromptSite["unknownMode"] = (mode, used) => noteUnknownMode(this.site, mode, used),
  ): PromptSite {
    const { site } = this
    const { pipeline, scope, state } = site.frame
    return {
      work: site.work,
      scope,
      pipeline,
      registry: site.registry,
      pinned: state.pinned?.get(pipeline),
      isLoop,
      hooks: undefined,
      unknownMode,
      documents: pipeline.documents.size === 0 ? undefined : (names) => site.readDocuments(names),
    }
  }
}

/** A reply of the model that its service has not ended, without calls. */
const isIncomplete = ({ finish, toolCalls }: ModelReply): boolean =>
  isCut(finish) && toolCalls.length === 0
