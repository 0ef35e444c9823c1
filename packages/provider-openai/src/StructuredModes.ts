/** Chooses how to request JSON from a model: the declared modes in order, without those the server has refused. */
import type { ModelFailed, ModelRequest } from "@planloom/plugin/effect"
import { answerTool } from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"
import type { StructuredMode } from "./Setting.ts"

/** Terms in error messages about an unsupported mode. */
const formatTerms = /response_format|json_schema|json_object|json schema|grammar|guided|structured/i
const toolTerms = /tool|function/i

const isModeRefusal = (mode: StructuredMode, { message }: ModelFailed): boolean =>
  (mode === "tool" ? toolTerms : formatTerms).test(message)

export class StructuredModes {
  /** Refused modes by model; they are not tried again. */
  private readonly refused = new Map<string, Set<StructuredMode>>()

  /** The best mode of the request or the server that has not been refused; else `none`. */
  modeFor(request: ModelRequest, server: ServerOptions): StructuredMode {
    if (request.output === undefined) return "none"
    return this.available(request, server)[0] ?? "none"
  }

  /**
   * Records a refused mode and returns the next one; undefined if the failure is not about the mode, or no other mode
   * is declared. A request falls back once; a refusal of the second mode is recorded for later requests.
   */
  fallback(
    request: ModelRequest,
    mode: StructuredMode,
    failure: ModelFailed,
    server: ServerOptions,
  ): StructuredMode | undefined {
    if (mode === "none" || failure.class !== "invalid_request" || !isModeRefusal(mode, failure)) {
      return undefined
    }
    const refused = this.refused.get(request.model) ?? new Set()
    this.refused.set(request.model, refused.add(mode))
    return this.available(request, server)[0]
  }

  /** The request's own mode comes first, unless the project declares modes for the server. */
  private available(request: ModelRequest, server: ServerOptions): ReadonlyArray<StructuredMode> {
    const { model, output } = request
    const { declared, structured } = server.model(model)
    const refused = this.refused.get(model)
    const wanted = declared ? undefined : output?.form
    const modes: ReadonlyArray<StructuredMode> =
      wanted === "text" ? ["none"] : wanted === "tool" ? ["tool", ...structured] : structured
    return modes.filter(
      (mode) =>
        refused?.has(mode) !== true && (mode !== "tool" || answerTool(request) !== undefined),
    )
  }
}
