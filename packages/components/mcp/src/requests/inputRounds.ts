/** Calls that a server answers with questions: they are made again with the answers, in a limited number of rounds. */
import type { JsonObject } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { McpFailed } from "../McpFailed.ts"
import type { Answerer } from "./Answerer.ts"

/** After this many a server is no longer believed that one more answer is enough. */
const MAX_ROUNDS = 10
const MAX_QUESTIONS = 20

export interface Rounds {
  readonly params: JsonObject
  readonly send: (params: JsonObject) => Promise<object>
  readonly answerer: Answerer
  readonly signal: AbortSignal
  /** Throws if the call may no longer be made: the tool runs again from its start. */
  readonly mayRepeat: () => void
}

/** The first result that asks nothing. */
export const inputRounds = async (rounds: Rounds): Promise<object> => {
  const { answerer, mayRepeat, params, send, signal } = rounds
  let result = await send(params)
  for (let round = 0; isAsking(result); round++) {
    const requests = Object.entries(isObject(result.inputRequests) ? result.inputRequests : {})
    if (round === MAX_ROUNDS || requests.length > MAX_QUESTIONS) {
      throw new McpFailed("tool_error", "it asks for more input than one call may need")
    }
    const responses: { [key: string]: JsonObject } = {}
    // One at a time: a person is asked.
    for (const [key, request] of requests) {
      const { method, params: about } = isObject(request) ? request : {}
      responses[key] = await answerer(
        { method: String(method), params: isObject(about) ? about : {} },
        signal,
      )
    }
    mayRepeat()
    const { requestState: state } = result
    result = await send({
      ...params,
      ...(requests.length === 0 ? {} : { inputResponses: responses }),
      ...(typeof state === "string" ? { requestState: state } : {}),
    })
  }
  return result
}

interface Asking {
  readonly inputRequests?: unknown
  readonly requestState?: unknown
}

const isAsking = (result: object): result is Asking =>
  (result as { readonly resultType?: unknown }).resultType === "input_required"
