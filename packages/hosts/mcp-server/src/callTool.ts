/** Answers `tools/call`: starts a run, or gives one the answer to its question. */
import {
  type CallToolRequestParams,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "@planloom/plugin/effect"
import { type Api, ApiProblem, type ShownRun } from "./Api.ts"
import { errorResult, problemResult, waitingResult } from "./callResult.ts"
import { giveAnswers, type Round, roundIn } from "./elicit.ts"
import { followRun, type Result, type Serving } from "./followRun.ts"
import { ANSWER_TOOL } from "./names.ts"
import { startBody } from "./workflowTool.ts"

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
  ctx.mcpReq.signal.throwIfAborted()
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
