/** What a tool is called with. Its getters are the class's, because V8 makes a hidden class for each object literal that has one. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  toFailureRecord,
  type JsonObject,
  type ModelClient,
  type ToolInvocation,
} from "@planloom/plugin/effect"
import type { ToolCallRequest } from "./ToolCallRequest.ts"

export class Invocation implements ToolInvocation {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  readonly key: string
  readonly workspace: string
  readonly variant: ToolInvocation["variant"]
  readonly roots: ToolInvocation["roots"]
  readonly index: ToolInvocation["index"]
  private readonly request: ToolCallRequest
  private readonly modelOf: () => ModelClient | undefined

  constructor(request: ToolCallRequest, modelOf: () => ModelClient | undefined) {
    const { index, inputs, key, params, roots, site, tool, variant, workspace } = request
    this.tool = tool
    this.params = params
    this.inputs = inputs
    this.key = `${site.run}/${site.path}/${key}`
    this.workspace = workspace
    this.variant = variant
    this.roots = roots
    this.index = index
    this.request = request
    this.modelOf = modelOf
  }

  get model(): ModelClient | undefined {
    return this.modelOf()
  }

  get askNow(): ToolInvocation["askNow"] {
    const { askNow, tool } = this.request
    return (question) =>
      Effect.mapError(
        askNow(question),
        (failure) => new ToolFailed({ ...toFailureRecord(failure), tool }),
      )
  }

  get progress(): ToolInvocation["progress"] {
    const { site } = this.request
    return (message, fraction) =>
      Effect.sync(() =>
        site.emit({
          type: "Progressed",
          path: site.path,
          stage: site.stage,
          message,
          ...(fraction === undefined ? {} : { fraction }),
        }),
      )
  }
}
