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

/** By question: why the API rejected its answer. */
export type Rejected = ReadonlyMap<string, string>

/** Asks with forms, if the client takes them and the answers fit into them; otherwise says how to answer. */
export const questionResult = (
  shown: ShownRun,
  elicits: boolean,
  rejected: Rejected = new Map(),
): CallToolResult | InputRequiredResult => {
  if (!elicits) return waitingResult(shown)
  const forms = shown.waits.flatMap((wait) => {
    const form = questionForm(wait)
    if (form === undefined) return []
    const problem = rejected.get(wait.name)
    const { params } = form
    const message = problem === undefined ? params.message : `${problem}\n${params.message}`
    return [[wait.name, inputRequired.elicit({ ...params, message })] as const]
  })
  if (forms.length === 0) return waitingResult(shown, "its answer does not fit into a form")
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: shown.run })
}

/** Gives the answers of filled forms. `left` says that a person left a form without an answer. */
export const giveAnswers = async (
  api: Api,
  { run, waits }: ShownRun,
  responses: { readonly [question: string]: unknown } | undefined,
): Promise<{ readonly left: string | undefined; readonly rejected: Rejected }> => {
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
