/** Approval of a tool call by a person. */
import * as Effect from "effect/Effect"
import { ToolFailed, type JsonObject } from "@planloom/plugin/effect"
import { nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"

/** A yes or a no, and why. */
const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, comment: { type: "string" } },
  required: ["approved"],
  additionalProperties: false,
} as const

/**
 * Asks for approval, recorded before the call: a replay of an approved call does not ask again. Returns the params of
 * the recorded question, because they are what was approved.
 */
export const approveToolCall = (
  request: ToolCallRequest,
): Effect.Effect<JsonObject, ToolFailed> => {
  const { inputs, open = [], params, site, tool } = request
  return Effect.matchEffect(
    site.put({
      name: `${nameOf(request)}/approval`,
      kind: "approval",
      path: site.path,
      message: site.text("approve", { values: { stage: site.path, tool } }),
      schema: approvalSchema,
      show: {
        tool,
        params,
        ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
        ...(open.length === 0 ? {} : { not_understood: open }),
      },
    }),
    {
      onFailure: ({ class: reason, message }) =>
        Effect.fail(new ToolFailed({ tool, class: reason, message })),
      onSuccess: ({ answer: { by, value }, wait }) => {
        const { approved: yes, comment } = value as unknown as Approval
        if (yes) return Effect.succeed((wait.show as { readonly params: JsonObject }).params)
        const why = comment === undefined || comment === "" ? "" : `: ${comment}`
        const message = `"${tool}" was not approved (${by})${why}`
        return Effect.fail(new ToolFailed({ tool, class: "cancelled", message }))
      },
    },
  )
}

interface Approval {
  readonly approved: boolean
  readonly comment?: string
}
