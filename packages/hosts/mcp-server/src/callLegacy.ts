/** Asks clients before 2026-07-28 by requests of the server, until their run has its answers. */
import type {
  CallToolRequestParams,
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from "@modelcontextprotocol/server"
import { waitingResult } from "./callResult.ts"
import { callTool } from "./callTool.ts"
import { roundIn } from "./elicit.ts"
import { cancelFor, type Result, type Serving } from "./followRun.ts"

/** Time for a person to answer one form. */
const ANSWER_MS = 600_000

/** Forms that are shown again because an answer did not fit, and questions that follow an answer. */
const MAX_ROUNDS = 20

export const callLegacy = async (
  serving: Serving,
  params: CallToolRequestParams,
  ctx: ServerContext,
): Promise<CallToolResult> => {
  let result: Result = await callTool(serving, params, ctx)
  for (let round = 0; isQuestion(result); round++) {
    const { requestState } = result
    const { run } = roundIn(requestState)!
    const wait = async (because: string) => waitingResult(await serving.api.run(run), because)
    if (round === MAX_ROUNDS) return wait(`${MAX_ROUNDS} forms were not enough`)
    const inputResponses: { [question: string]: unknown } = {}
    try {
      for (const [question, request] of Object.entries(result.inputRequests ?? {})) {
        inputResponses[question] = await ctx.mcpReq.send(
          { method: "elicitation/create", params: { ...request.params } },
          { timeout: ANSWER_MS, signal: ctx.mcpReq.signal },
        )
      }
    } catch (error) {
      if (ctx.mcpReq.signal.aborted) await cancelFor(serving, run, ctx.mcpReq.signal)
      return wait(`the client gave no answer (${(error as Error).message})`)
    }
    const answered = { ...ctx.mcpReq, inputResponses, requestState: stateOf(requestState) }
    result = await callTool(serving, params, { ...ctx, mcpReq: answered })
  }
  return result
}

const isQuestion = (result: Result): result is InputRequiredResult =>
  result["resultType"] === "input_required"

const stateOf = (state: string | undefined): ServerContext["mcpReq"]["requestState"] =>
  (() => state) as ServerContext["mcpReq"]["requestState"]
