/** Approval of a tool call by a person: what the call does is shown, and the answer counts for nothing else. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { StageFailed, type Json, type ToolFailed } from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import { languageOf, wordingIn } from "@planloom/plugin/texts"
import type { RegisteredTool } from "@planloom/language"
import { hasState, previewCall, type CallPreview } from "./previewCall.ts"
import { fieldsText, shownFields } from "./shownFields.ts"
import { failed } from "./toolResult.ts"
import { nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"

/** Questions about one call: each but the first one because the call changed while the one before it was open. */
const MAX_QUESTIONS = 3

/** A yes or a no, and why. */
const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, comment: { type: "string" } },
  required: ["approved"],
  additionalProperties: false,
} as const

/** Makes a call after a check, as one recorded step: a check that dies records nothing. */
type MakeCall = (check: Effect.Effect<void, ToolFailed>) => Effect.Effect<Json, ToolFailed>

/**
 * Makes the call once a person has approved what it does. Each question is recorded with what it shows, and after the
 * answer the call is previewed again: one that would now do something else is asked about anew, also in a resumed run.
 */
export const approveToolCall = (
  request: ToolCallRequest,
  registered: RegisteredTool,
  call: MakeCall,
): Effect.Effect<Json, ToolFailed> => new Approval(request, registered, call).question(1)

class Approval {
  private readonly request: ToolCallRequest
  private readonly registered: RegisteredTool
  private readonly call: MakeCall
  private readonly name: string

  constructor(request: ToolCallRequest, registered: RegisteredTool, call: MakeCall) {
    this.request = request
    this.registered = registered
    this.call = call
    this.name = nameOf(request)
  }

  question(number: number, changed?: CallPreview): Effect.Effect<Json, ToolFailed> {
    return Effect.flatMap(this.kept(number, changed), (shown) =>
      Effect.andThen(this.ask(number, shown), this.approved(number, shown)),
    )
  }

  private nameAt(number: number): string {
    return below(this.name, "approval", number)
  }

  /** What this question is about; recorded, because a later preview may differ. */
  private kept(
    number: number,
    changed: CallPreview | undefined,
  ): Effect.Effect<CallPreview, ToolFailed> {
    const { registered, request } = this
    const { inputs, params, site, tool } = request
    const name = this.nameAt(number)
    if (changed !== undefined) return site.keep(name, Effect.succeed(changed))
    const preview = Effect.suspend(() => previewCall(request, registered, crypto.randomUUID()))
    return hasState(registered)
      ? site.record(name, preview, () => ({ approval: tool, params, inputs }))
      : site.keep(name, preview)
  }

  /** The name of a question has a part of its digest: an answer to an earlier one never counts for it. */
  private ask(number: number, { digest, values }: CallPreview): Effect.Effect<void, ToolFailed> {
    const { registered, request } = this
    const { inputs, language, open = [], site, tool } = request
    const fields = shownFields(registered.tool, values, language ?? languageOf(site.user))
    const question = {
      message: site.text("approve", {
        ...(language === undefined ? {} : { language }),
        values: { stage: site.path, tool: titleIn(request), values: fieldsText(fields) },
      }),
      fields,
      show: {
        tool,
        ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
        ...(open.length === 0 ? {} : { not_understood: open }),
      },
    }
    return Effect.matchEffect(
      Effect.flatMap(site.shown(question as unknown as Json), ({ isBlocked, value }) =>
        isBlocked
          ? Effect.fail(
              new StageFailed({
                class: "blocked",
                message: `"${tool}" is not called: a review blocked what its approval would show`,
              }),
            )
          : site.put({
              name: below(this.name, "approval", `${number}:${digest.slice(0, DIGEST_CHARACTERS)}`),
              kind: "approval",
              path: site.path,
              schema: approvalSchema,
              digest,
              ...(value as unknown as typeof question),
            }),
      ),
      {
        onFailure: ({ class: reason, message }) => failed(tool, reason, message),
        onSuccess: ({ answer: { by, value } }) => {
          const { approved: yes, comment } = value as unknown as Answered
          if (yes) return Effect.void
          const why = comment === undefined || comment === "" ? "" : `: ${comment}`
          return failed(tool, "cancelled", `"${tool}" was not approved (${by})${why}`)
        },
      },
    )
  }

  /** Makes the call, or asks about one that has changed: a later question has replaced this one for good. */
  private approved(number: number, shown: CallPreview): Effect.Effect<Json, ToolFailed> {
    return Effect.flatMap(this.request.site.lookup(this.nameAt(number + 1)), (later) =>
      later === undefined
        ? Effect.catchCause(this.call(this.unchanged(number, shown)), (cause) => {
            const changed = changedIn(cause)
            return changed === undefined
              ? Effect.failCause(cause)
              : this.question(number + 1, changed.preview)
          })
        : this.question(number + 1),
    )
  }

  private unchanged(number: number, shown: CallPreview): Effect.Effect<void, ToolFailed> {
    const { registered, request } = this
    return Effect.flatMap(previewCall(request, registered, shown.salt), (now) => {
      if (now.digest === shown.digest) return Effect.void
      return number < MAX_QUESTIONS
        ? Effect.die(new Changed(now))
        : failed(
            request.tool,
            "cancelled",
            `"${request.tool}" was not called: what it would do changed after each of ${MAX_QUESTIONS} approvals`,
          )
    })
  }
}

/** Ends the step of a call that has changed. A defect, so that it is not recorded as the outcome of the call. */
class Changed {
  readonly preview: CallPreview

  constructor(preview: CallPreview) {
    this.preview = preview
  }
}

const changedIn = ({ reasons }: Cause.Cause<ToolFailed>): Changed | undefined => {
  for (const reason of reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof Changed) return reason.defect
  }
  return undefined
}

const DIGEST_CHARACTERS = 12

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

interface Answered {
  readonly approved: boolean
  readonly comment?: string
}
