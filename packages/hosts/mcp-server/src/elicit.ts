/** Asks the person at the client what a run asks, and gives the run their answers. */
import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type InputResponseView,
} from "@modelcontextprotocol/server"
import type { JsonObject, Wait } from "@planloom/plugin/effect"
import { type Api, ApiProblem, type ShownRun } from "./Api.ts"
import { waitingResult } from "./callResult.ts"
import { questionForm } from "./questionForm.ts"

/** The state of a call that asks: it is sent again with the answers. */
export interface Round {
  readonly run: string
  /** 0 for a call that has asked nothing yet. */
  readonly number: number
  /** By question: why the API rejected its answer. */
  readonly rejected: ReadonlyMap<string, string>
}

/** Differs from round to round. It proves nothing: the run that it names is read as the caller of the request may. */
const stateOf = ({ number, run }: Round): string => `${number}.${run}`

/** Undefined for a text that is no state. */
export const roundIn = (state: unknown): Pick<Round, "number" | "run"> | undefined => {
  const [, number, run] = (typeof state === "string" && /^(\d{1,6})\.(.+)$/s.exec(state)) || []
  return run === undefined ? undefined : { number: Number(number), run }
}

/** Asks with forms, if the client takes them and the answers fit into them; otherwise says how to answer. */
export const questionResult = (
  shown: ShownRun,
  elicits: boolean,
  round: Round,
): CallToolResult | InputRequiredResult => {
  if (!elicits) return waitingResult(shown)
  const forms = shown.waits.flatMap((wait) => {
    const request = formRequest(wait, round.rejected.get(wait.name))
    return request === undefined ? [] : [[wait.name, request] as const]
  })
  if (forms.length === 0) return waitingResult(shown, "its answer does not fit into a form")
  return inputRequired({
    inputRequests: Object.fromEntries(forms),
    requestState: stateOf({ ...round, number: round.number + 1 }),
  })
}

/** The form of a question, with the reason against the last answer; undefined if it fits into no form. */
export const formRequest = (wait: Wait, rejected: string | undefined): InputRequest | undefined => {
  const form = questionForm(wait)
  if (form === undefined) return undefined
  const { params } = form
  const message = rejected === undefined ? params.message : `${rejected}\n${params.message}`
  return inputRequired.elicit({ ...params, message })
}

/** Gives the answers of filled forms. `left` says that a person left a form without an answer. */
export const giveAnswers = async (
  api: Api,
  { run, waits }: ShownRun,
  responses: { readonly [question: string]: unknown } | undefined,
): Promise<{ readonly left: string | undefined; readonly rejected: Round["rejected"] }> => {
  let left: string | undefined
  const rejected = new Map<string, string>()
  for (const wait of waits) {
    const outcome = await giveAnswer(api, run, wait, inputResponse(responses, wait.name))
    left ??= outcome?.left
    if (outcome?.rejected !== undefined) rejected.set(wait.name, outcome.rejected)
  }
  return { left, rejected }
}

/** The reason why a question stays open: its form was left without an answer, or the answer was rejected. */
interface StillOpen {
  readonly left?: string
  readonly rejected?: string
}

/** Undefined for a question that has its answer, is asked no more, or was not part of the responses. */
export const giveAnswer = async (
  api: Api,
  run: string,
  wait: Wait,
  response: InputResponseView,
): Promise<StillOpen | undefined> => {
  if (response.kind !== "elicit") return undefined
  if (response.action !== "accept") {
    return {
      left: response.action === "decline" ? "a question was declined" : "a question was dismissed",
    }
  }
  const form = questionForm(wait)
  if (form === undefined) return undefined
  try {
    await api.answer(run, wait.name, form.answerOf((response.content ?? {}) as JsonObject))
    return undefined
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return error.code === "invalid_input" ? { rejected: error.message } : undefined
  }
}
