/** The tool calls of a loop: which of a model's wishes are made, and what the model reads of each. */
import * as Effect from "effect/Effect"
import {
  isToolAmong,
  modelParams,
  type AgentLimits,
  type CallRecord,
  type FailureClass,
  type Json,
  type JsonObject,
  type Tool,
  type ToolCall,
  type ToolFailed,
  type ToolOffer,
} from "@planloom/plugin/effect"
import { canonicalJson, formatIssues, isObject } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { AgentSite } from "./AgentSite.ts"
import { ANSWER, answerValue, type AnswerTool } from "./answerTool.ts"
import { CALL_TOOL, documented } from "./lazyTools.ts"
import { toolDocumentation } from "./toolDocumentation.ts"
import { errorMessage, failureContent, resultContent } from "./toolContent.ts"

/** A failure of one of these classes ends the loop: the model cannot help. */
const ending: ReadonlySet<string> = new Set(["clarification", "not_allowed", "store"])

/** A call that a model wants. */
export interface PlannedCall {
  /** Whether it is a call of a tool of the workflow. */
  readonly isCounted: boolean
  /** For the model, of a call that is not made. */
  readonly content?: Json
  /** Gives the content for the model. */
  readonly run?: Effect.Effect<Json, ToolFailed>
  /** In place of `run`, once the limit of calls is reached. */
  readonly beyondLimit?: () => Effect.Effect<Json>
}

/** The reason against a call, for the model. */
interface CallProblem {
  readonly message: string
  /** The tool of the workflow that was meant, or an unknown one; undefined for a tool of the loop itself. */
  readonly tool: string | undefined
}

export class AgentCalls {
  /** By key, in the order in which the model asked; undefined until the call has ended. */
  private readonly records = new Map<string, CallRecord | undefined>()
  /** Whether a call may run again, by its tool and params. */
  private readonly repeatable = new Map<string, boolean>()
  private readonly limits: AgentLimits
  private readonly site: AgentSite
  private readonly answer: AnswerTool | undefined
  private keys = 0
  private refusals = 0

  constructor(limits: AgentLimits, site: AgentSite, answer: AnswerTool | undefined) {
    this.limits = limits
    this.site = site
    this.answer = answer
  }

  /** The calls that have ended, in the order in which the model asked: a replay ends them in another one. */
  get made(): ReadonlyArray<CallRecord> {
    return [...this.records.values()].filter((record) => record !== undefined)
  }

  /** An effect for each call that is made, and for each other call the content that gives the reason. */
  plan(wanted: ReadonlyArray<ToolCall>, offers: ReadonlyArray<ToolOffer>) {
    return wanted.map((call): PlannedCall => {
      const { arguments: params, name } = call
      const problem = this.problemOf(call, offers)
      if (problem !== undefined) {
        const { message, tool: refused } = problem
        return refused === undefined
          ? { isCounted: false, content: errorMessage(message) }
          : { isCounted: false, run: this.refuse(refused, params, "invalid_request", message) }
      }
      const tool = this.site.tool(documented(call, offers) ?? name)!
      if (tool.name !== name) return { isCounted: false, run: this.read(tool) }
      const prepared = this.site.prepare(tool, params)
      const canonical = `${name} ${canonicalJson(prepared)}`
      if (this.limits.repeat !== true && this.repeatable.get(canonical) === false) {
        return {
          isCounted: false,
          content: errorMessage("this call was already made; use its earlier result"),
        }
      }
      this.repeatable.set(canonical, false)
      const key = `${name}#${++this.keys}`
      this.records.set(key, undefined)
      return {
        isCounted: true,
        run: this.runCall(call, prepared, canonical, key, offers),
        beyondLimit: () =>
          this.refuse(
            name,
            prepared,
            "budget",
            `the limit of ${this.limits.calls} calls is reached`,
          ),
      }
    })
  }

  /** Records calls of tools of the workflow, none of which is made. */
  refuseAll(
    wanted: ReadonlyArray<ToolCall>,
    offers: ReadonlyArray<ToolOffer>,
    message: string,
  ): Effect.Effect<void> {
    return Effect.forEach(
      wanted.filter(({ name }) => !this.isOwn(name, offers)),
      ({ arguments: params, name }) => this.refuse(name, params, "budget", message),
      { discard: true },
    )
  }

  /** Records a call that is not made. */
  private refuse(
    tool: string,
    params: JsonObject,
    reason: FailureClass,
    message: string,
  ): Effect.Effect<Json> {
    return Effect.suspend(() => {
      const key = `refused#${++this.refusals}`
      const refusal = { class: reason, message }
      return Effect.as(
        Effect.ignore(this.site.call({ tool, params, key, approve: false, refusal })),
        errorMessage(message),
      )
    })
  }

  private read(tool: Tool): Effect.Effect<Json> {
    return Effect.suspend(() => {
      this.site.reportRead(tool.name)
      return toolDocumentation(tool)
    })
  }

  private problemOf(
    { arguments: params, name, unread }: ToolCall,
    offers: ReadonlyArray<ToolOffer>,
  ): CallProblem | undefined {
    const wanted = documented({ arguments: params, name }, offers) ?? name
    if (unread !== undefined) {
      const message = `this call was not made: its arguments are not a JSON object: ${unread}`
      return { message, tool: this.isOwn(name, offers) ? undefined : wanted }
    }
    if (name === ANSWER && this.answer !== undefined) {
      const issues = validatorOf(this.limits.result!)(answerValue(this.answer, params))
      const message =
        issues.length > 0
          ? `the answer does not fit: ${formatIssues(issues, "the answer")}`
          : `call \`${ANSWER}\` alone, once the results of the other calls are known`
      return { message, tool: undefined }
    }
    const own = offers.find((offer) => offer.tool === name)?.own
    if (own !== undefined) {
      const issues = validatorOf(own.params)(params)
      const message = `the arguments of "${name}" do not fit: ${formatIssues(issues, "the object")}`
      return { message, tool: undefined }
    }
    if (this.site.tool(wanted) !== undefined && offers.some((offer) => offer.tool === wanted)) {
      return undefined
    }
    if (name === CALL_TOOL) {
      const message = `give \`${CALL_TOOL}\` the \`name\` of a tool and its \`arguments\``
      return { message, tool: undefined }
    }
    const names = offers.map((offer) => offer.tool)
    const near = this.site.suggest(wanted, names)
    const meant = near === undefined ? "" : `; did you mean "${near}"?`
    const declared = offers.filter(({ form }) => form === "schema").map((offer) => offer.tool)
    const others = declared.length < names.length ? ", and those under Tools" : ""
    const message = `there is no tool "${wanted}"; there are: ${declared.join(", ") || "none"}${others}${meant}`
    return { message, tool: wanted }
  }

  /** Whether it is a tool of the loop or of its stage, which no source runs. */
  private isOwn(name: string, offers: ReadonlyArray<ToolOffer>): boolean {
    return (
      name === CALL_TOOL ||
      (name === ANSWER && this.answer !== undefined) ||
      offers.some(({ own, tool }) => tool === name && own !== undefined)
    )
  }

  private runCall(
    { arguments: given, name }: ToolCall,
    /** As the call is made with them. */
    params: JsonObject,
    canonical: string,
    key: string,
    offers: ReadonlyArray<ToolOffer>,
  ): Effect.Effect<Json, ToolFailed> {
    const { path } = this.site
    const tool = this.site.tool(name)!
    const { approve: asked, autoApprove } = this.limits
    const approve =
      isToolAmong(name, asked) || (this.site.writes(tool) && !isToolAmong(name, autoApprove))
    const keep = (outcome: Pick<CallRecord, "ok" | "summary" | "result" | "error" | "class">) => {
      const record = { tool: name, params, key, path, ...outcome }
      this.site.complement(record)
      this.records.set(key, record)
    }
    return Effect.matchEffect(this.site.call({ tool: name, params: given, key, approve }), {
      onSuccess: (result) => {
        const summary = this.site.summarize(tool, params, result)
        keep({ ok: true, summary, result })
        const own = tool.summarize === undefined ? undefined : summary
        return Effect.succeed(resultContent(result, own))
      },
      onFailure: (failure) => {
        const { class: reason } = failure
        if (reason === "budget" || ending.has(reason)) return Effect.fail(failure)
        if (reason === "invalid_request") {
          this.repeatable.delete(canonical)
          const content = failureContent(failure, name)
          // The model has not read the parameters of a tool of which it reads one line.
          const isLazy = offers.some((offer) => offer.tool === name && offer.form === "index")
          return Effect.succeed(
            isLazy && isObject(content)
              ? { ...content, parameters: modelParams(tool) as Json }
              : content,
          )
        }
        // A write may have happened although its call failed.
        this.repeatable.set(canonical, !this.site.writes(tool) || tool.idempotent === true)
        keep({ ok: false, summary: `failed: ${reason}`, error: failure.message, class: reason })
        return Effect.succeed(failureContent(failure, name))
      },
    })
  }
}
