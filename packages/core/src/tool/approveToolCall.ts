/** Approval of a tool call by a person. */
import * as Effect from "effect/Effect"
import { ToolFailed, type JsonObject } from "@planloom/plugin/effect"
import { argumentsText, languageOf, wordingIn } from "@planloom/plugin/texts"
import { below } from "@planloom/plugin/segments"
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
  const { inputs, language, open = [], params, registry, site, tool } = request
  const described = registry.get(tool)?.tool
  return Effect.matchEffect(
    site.put({
      name: below(nameOf(request), "approval", 1),
      kind: "approval",
      path: site.path,
      message: site.text("approve", {
        ...(language === undefined ? {} : { language }),
        values: {
          stage: site.path,
          tool: titleIn(request),
          values: argumentsText(described ?? {}, params, language ?? languageOf(site.user)),
        },
      }),
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

/** The title that its author gave it, else its exact name. */
export const titleIn = ({
  language,
  registry,
  site,
  tool: name,
}: Pick<ToolCallRequest, "language" | "registry" | "site" | "tool">): string => {
  const title = registry.get(name)?.tool.title
  return title === undefined ? name : wordingIn(title, language ?? languageOf(site.user))
}

interface Approval {
  readonly approved: boolean
  readonly comment?: string
}
