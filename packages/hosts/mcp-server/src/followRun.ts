/** Follows the run of a call to its end or its next question, unless the request, the server or the patience of the client ends first. */
import {
  type CallToolResult,
  type InputRequiredResult,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { type Api, ApiProblem, type RunEvents } from "./Api.ts"
import { endedResult, errorResult } from "./callResult.ts"
import { questionResult, type Round } from "./elicit.ts"
import { runUri } from "./names.ts"
import { RunProgress } from "./RunProgress.ts"
import { createdTask, TASK_AFTER_MS } from "./tasks.ts"

/** The context of a request: its server and the abilities of its client. */
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

export type Result = CallToolResult | InputRequiredResult

/** Ends with the run, its next question, the request, or the server; or leaves the run to be looked at as a task. */
export const followRun = async (
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
      progress.show(event)
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
  if (signal.aborted) await cancelFor(serving, run, signal)
  return errorResult(
    `The server stops. The run ${run} is not lost: it continues when a server works on its store again. Read ${runUri(run)} then.`,
  )
}

/** Cancels the run of a request that its client has cancelled; a lost connection alone leaves the run. */
export const cancelFor = async (
  { api, cancelsOnLoss }: Serving,
  run: string,
  { reason }: AbortSignal,
): Promise<void> => {
  if (cancelsOnLoss || !isLoss(reason)) await cancelRun(api, run)
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
