/** Which way of asking for JSON a model takes: as declared, until the server refuses it. */
import type { ModelFailed, ModelRequest } from "@planloom/plugin"
import { answerTool } from "@planloom/provider-kit"
import type { ServerOptions, StructuredMode } from "./options.ts"

/** How servers name what they do not know. */
const about = /response_format|json_schema|json_object|json schema|grammar|guided|structured/i
const aboutTools = /tool|function/i

const isAbout = (mode: StructuredMode, { message }: ModelFailed): boolean =>
  (mode === "tool" ? aboutTools : about).test(message)

export class Modes {
  /** Modes that were refused, by model. What a server has refused it is not asked for again. */
  private readonly refused = new Map<string, Set<StructuredMode>>()

  /** The best mode that the request wants or the server declares and that has not been refused; else `none`. */
  of(request: ModelRequest, server: ServerOptions): StructuredMode {
    if (request.output === undefined) return "none"
    return this.open(request, server)[0] ?? "none"
  }

  /**
   * The declared mode to ask with once more; undefined when the refusal is not about the mode, or nothing
   * else is declared. A request falls back once; what its second try was refused for is remembered for the next.
   */
  after(
    request: ModelRequest,
    mode: StructuredMode,
    failure: ModelFailed,
    server: ServerOptions,
  ): StructuredMode | undefined {
    if (mode === "none" || failure.class !== "invalid_request" || !isAbout(mode, failure)) {
      return undefined
    }
    const refused = this.refused.get(request.model) ?? new Set()
    this.refused.set(request.model, refused.add(mode))
    return this.open(request, server)[0]
  }

  /** What the request wants comes first, unless the project has declared ways for the server itself. */
  private open(request: ModelRequest, server: ServerOptions): ReadonlyArray<StructuredMode> {
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
