/** Answers `tools/call`: starts a run or resumes one with an answer, and follows it to its end or its next question. */
import {
  type CallToolResult,
  type CallToolRequestParams,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "@planloom/plugin/effect"
import { type Api, ApiProblem, type RunEvents, type ShownRun } from "./Api.ts"
import { endedResult, errorResult, problemResult, waitingResult } from "./callResult.ts"
import { giveAnswers, questionResult, type Round, roundIn } from "./elicit.ts"
import { ANSWER_TOOL, runUri } from "./names.ts"
import { RunProgress } from "./RunProgress.ts"
import { createdTask, TASK_AFTER_MS } from "./tasks.ts"
import { startBody } from "./workflowTool.ts"

/** What a server knows beside the request. */
export interface Serving {
  readonly api: Api
  /** Aborted when the server stops: calls that wait for a run are answered. */
  readonly stopping: AbortSignal | undefined
  /** Whether the client of this request takes forms. */
  readonly elicits: boolean
  /** Whether the client of this request takes tasks: a run that lasts becomes one. */
  readonly takesTasks: boolean
  /** Whether a lost connection cancels the request, as over HTTP since 2026-07-28. */
  readonly cancelsOnLoss: boolean
}

type Result = CallToolResult | InputRequiredResult

/** A rejected request is an error of the tool, which a model can correct; a tool that does not exist is one of the protocol. */
export const callTool = async (
  serving: Serving,
  { arguments: given, name }: CallToolRequestParams,
  ctx: ServerContext,
): Promise<Result> => {
  try {
    const args = (given ?? {}) as JsonObject
    const state = ctx.mcpReq.requestState()
    if (state !== undefined) {
      const isOwn = ({ run, workflow }: ShownRun) =>
        name === ANSWER_TOOL ? run === args["run"] : workflow === name
      return await resumeCall(serving, state, isOwn, ctx)
    }
    return await (name === ANSWER_TOOL
      ? answerQuestion(serving, args, ctx)
      : callWorkflow(serving, name, args, ctx))
  } catch (error) {
    if (error instanceof ApiProblem) return problemResult(error)
    throw error
  }
}

const callWorkflow = async (
  serving: Serving,
  name: string,
  args: JsonObject,
  ctx: ServerContext,
): Promise<Result> => {
  const { api } = serving
  const workflow = (await api.workflows()).find((one) => one.name === name)
  if (workflow === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
  }
  const run = crypto.randomUUID()
  return followRun(serving, first(run), await api.start(name, run, startBody(workflow, args)), ctx)
}

/** The request again, with answers to what the run asked. The state names the run, which the API shows to its caller only. */
const resumeCall = async (
  serving: Serving,
  state: unknown,
  isOwn: (shown: ShownRun) => boolean,
  ctx: ServerContext,
): Promise<Result> => {
  const { api } = serving
  const round = roundIn(state)
  const shown = round === undefined ? undefined : await foundRun(api, round.run)
  if (round === undefined || shown === undefined || !isOwn(shown)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState")
  }
  const { run } = round
  const { left, rejected } = await giveAnswers(api, shown, ctx.mcpReq.inputResponses)
  if (left !== undefined) return waitingResult(await api.run(run), left)
  return followRun(serving, { ...round, rejected }, await api.follow(run), ctx)
}

const foundRun = async (api: Api, run: string): Promise<ShownRun | undefined> => {
  try {
    return await api.run(run)
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "unknown_resource") return undefined
    throw error
  }
}

const answerQuestion = async (
  serving: Serving,
  { question, run, value }: JsonObject,
  ctx: ServerContext,
): Promise<Result> => {
  const { api } = serving
  if (typeof run !== "string" || typeof question !== "string" || value === undefined) {
    return errorResult("the arguments must have run, question and value")
  }
  const wait = (await api.run(run)).waits.find(({ name }) => name === question)
  if (wait?.kind === "approval") {
    return errorResult(`${question} is an approval, which only a person may give`)
  }
  await api.answer(run, question, value)
  return followRun(serving, first(run), await api.follow(run), ctx)
}

const first = (run: string): Round => ({ run, number: 0, rejected: new Map() })

/** Ends with the run, its next question, the request, or the server; or leaves the run to be looked at as a task. */
const followRun = async (
  serving: Serving,
  round: Round,
  events: RunEvents,
  ctx: ServerContext,
): Promise<Result> => {
  const { api, stopping } = serving
  const { run } = round
  const { signal } = ctx.mcpReq
  const progress = new RunProgress(ctx)
  const unlisten = onAbort([signal, stopping], () => events.cancel())
  const timer = serving.takesTasks ? setTimeout(() => events.cancel(), TASK_AFTER_MS) : undefined
  try {
    for (let event = await events.next(); event !== undefined; event = await events.next()) {
      await progress.show(event)
      if (event.type !== "RunSuspended") continue
      const shown = await api.run(run)
      // Otherwise it was answered meanwhile, or waits for a time.
      if (shown.waits.some(({ kind }) => kind !== "timer")) {
        return questionResult(shown, serving.elicits, round)
      }
    }
  } finally {
    unlisten()
    clearTimeout(timer)
    events.cancel()
  }
  if (!signal.aborted && (serving.takesTasks || stopping?.aborted !== true)) {
    const shown = await api.run(run)
    return serving.takesTasks && shown.finishedAt === undefined
      ? createdTask(shown)
      : endedResult(shown)
  }
  if (signal.aborted && (serving.cancelsOnLoss || !isLoss(signal.reason))) {
    await cancelRun(api, run)
  }
  return errorResult(
    `The server stops. The run ${run} is not lost: it continues when a server works on its store again. Read ${runUri(run)} then.`,
  )
}

/** A run that has ended meanwhile needs no cancellation. */
const cancelRun = async (api: Api, run: string): Promise<void> => {
  try {
    await api.cancel(run, "cancelled by the MCP client")
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
  }
}

/** Whether the connection has ended, rather than the client has cancelled its request. */
const isLoss = (reason: unknown): boolean =>
  reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed

/** Calls the function once one of the signals is aborted, also now; returns what stops that. */
const onAbort = (
  signals: ReadonlyArray<AbortSignal | undefined>,
  call: () => void,
): (() => void) => {
  const listening = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted === true) call()
    signal?.addEventListener("abort", call, { signal: listening.signal })
  }
  return () => listening.abort()
}
