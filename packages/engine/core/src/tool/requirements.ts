/** The conditions of a call: expressions of its tool over the params, the calls of the run and the session. */
import { ToolFailed, type CallRecord, type Json, type Tool } from "@planloom/plugin/effect"
import { languageOf, wordingIn } from "@planloom/plugin/texts"
import { unmetRequirement } from "./ToolExpressions.ts"
import type { ToolCallRequest } from "./ToolCallRequest.ts"

/** The reason against the call now; undefined if all conditions hold. */
export const refusalOf = (request: ToolCallRequest, tool: Tool): ToolFailed | undefined => {
  if (tool.requires === undefined) return undefined
  const { language, params, site } = request
  const unmet = unmetRequirement(tool, {
    params,
    calls: site.runCalls.flatMap((call) => (call.refused === true ? [] : [madeCall(call)])),
    session: site.session,
  })
  if (unmet === undefined) return undefined
  const { fault, requirement } = unmet
  return new ToolFailed({
    tool: tool.name,
    class: "invalid_request",
    message: wordingIn(requirement.message, language ?? languageOf(site.user)),
    detail: { requires: requirement.that, ...(fault === undefined ? {} : { fault }) },
  })
}

/** Without its result, which a resumed run no longer has. */
const madeCall = ({ entities = [], error = "", ok, params, summary, tool }: CallRecord): Json => ({
  tool,
  params,
  ok,
  summary,
  entities,
  error,
})
