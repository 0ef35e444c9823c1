/** What a call would do now: its conditions, the fields that its source computes, and a digest of all that it depends on. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, ToolFailed } from "@planloom/plugin/effect"
import { canonicalJson, formatIssues, isObject, rejectionOf } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { RegisteredTool } from "@planloom/language"
import { abandonable } from "./abandonable.ts"
import { Invocation } from "./Invocation.ts"
import { refusalOf } from "./requirements.ts"
import { MAX_FIELDS } from "./shownFields.ts"
import { failed } from "./toolResult.ts"
import { withinTime } from "./withinTime.ts"
import type { ToolCallRequest } from "./ToolCallRequest.ts"

export interface CallPreview extends JsonObject {
  /** The fields of an approval, as computed, or the params. */
  readonly values: JsonObject
  /** Drawn once for a call, so that values cannot be found by their digest. */
  readonly salt: string
  readonly digest: string
}

/** Fails with the reason why a person is not asked. */
export const previewCall = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  salt: string,
): Effect.Effect<CallPreview, ToolFailed> =>
  Effect.suspend(() => {
    const refusal = refusalOf(request, registered.tool)
    if (refusal !== undefined) return Effect.fail(refusal)
    return Effect.flatMap(valuesOf(request, registered), (values) => {
      const count = Object.keys(values).length
      return count > MAX_FIELDS
        ? failed(
            request.tool,
            "invalid_request",
            `"${request.tool}" would have to show ${count} fields for approval; at most ${MAX_FIELDS} can be`,
          )
        : Effect.succeed({ values, salt, digest: digestOf(request, values, salt) })
    })
  })

/** Whether it depends on more than the call itself. */
export const hasState = ({ tool }: RegisteredTool): boolean =>
  tool.approval_fields !== undefined || tool.requires !== undefined

const valuesOf = (
  request: ToolCallRequest,
  registered: RegisteredTool,
): Effect.Effect<JsonObject, ToolFailed> => {
  const { source, tool } = registered
  const { approval_fields: schema, name } = tool
  // A call without a source fails by itself.
  if (schema === undefined || source === undefined) return Effect.succeed(request.params)
  const rejection = rejectionOf(schema)
  if (rejection !== undefined) {
    return failed(name, "invalid_request", `the approval_fields of "${name}": ${rejection.message}`)
  }
  if (source.preview === undefined) {
    return failed(name, "internal", `the tool source "${source.id}" has no preview for "${name}"`)
  }
  const entry = registered.isFromCatalog === true ? tool : undefined
  const made = Effect.suspend(() => {
    const work = source.preview!(new Invocation(request, () => undefined, entry))
    return source.endsAtOnce === true ? work : abandonable(work)
  })
  return Effect.flatMap(
    withinTime(request, registered, Effect.catchDefect(made, broken(name))),
    (values) => {
      const issues = isObject(values) ? validatorOf(schema)(values) : [notAnObject]
      return issues.length === 0
        ? Effect.succeed(values)
        : failed(
            name,
            "invalid_output",
            `the preview of "${name}" does not fit: ${formatIssues(issues, "the fields")}`,
          )
    },
  )
}

const notAnObject = { path: "", message: "must be object" }

const broken = (tool: string) => (defect: unknown) => {
  const error = defect instanceof Error ? defect : new Error(String(defect))
  const detail = { stack: error.stack ?? "" }
  return failed(tool, "internal", `the preview of "${tool}" broke: ${error.message}`, detail)
}

const digestOf = (
  { inputs, params, tool }: ToolCallRequest,
  values: JsonObject,
  salt: string,
): string =>
  process
    .getBuiltinModule("node:crypto")
    .hash("sha256", canonicalJson([salt, tool, params, inputs, values] as Json))
