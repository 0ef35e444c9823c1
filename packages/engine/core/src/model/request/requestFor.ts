/** The request to one model, with tools in the form in which that model calls them. */
import type { ModelRequest } from "@planloom/plugin/effect"
import type { ModelChoice } from "../../pipeline/resolveModel.ts"
import { requestOf, type Question } from "./requestOf.ts"
import { needsTextTools, toTextTools } from "./textTools.ts"

/** Tools that the model does not call natively are described in text. */
export const requestFor = (question: Question, choice: ModelChoice): ModelRequest => {
  const request = requestOf(question, choice)
  const { facts } = choice
  return facts !== undefined && needsTextTools(request, facts)
    ? toTextTools(request, facts)
    : request
}
