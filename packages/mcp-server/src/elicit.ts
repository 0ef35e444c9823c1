/** Asks the person at the client what a run asks, and gives the run their answers. */
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "@planloom/plugin/effect"
import { type Api, ApiProblem, type ShownRun } from "./Api.ts"
import { waitingResult } from "./callResult.ts"
import { questionForm } from "./questionForm.ts"

/** Where a call that asks stands: it is sent again with the answers. */
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
    const form = questionForm(wait)
    if (form === undefined) return []
    const problem = round.rejected.get(wait.name)
    const { params } = form
    const message = problem === undefined ? params.message : `${problem}\n${params.message}`
    return [[wait.name, inputRequired.elicit({ ...params, message })] as const]
  })
  if (forms.length === 0) return waitingResult(shown, "its answer does not fit into a form")
  return inputRequired({
    inputRequests: Object.fromEntries(forms),
    requestState: stateOf({ ...round, number: round.number + 1 }),
  })
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
    const response = inputResponse(responses, wait.name)
    if (response.kind !== "elicit") continue
    if (response.action !== "accept") {
      left = response.action === "decline" ? "a question was declined" : "a question was dismissed"
      continue
    }
    const form = questionForm(wait)
    if (form === undefined) continue
    try {
      await api.answer(run, wait.name, form.answerOf((response.content ?? {}) as JsonObject))
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      // Otherwise the question has its answer, or is asked no more.
      if (error.code === "invalid_input") rejected.set(wait.name, error.message)
    }
  }
  return { left, rejected }
}
