/** What a tool is called with. Its getters are the class's, because V8 makes a hidden class for each object literal that has one. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  toFailureRecord,
  type JsonObject,
  type ModelClient,
  type TextEmbedder,
  type TextReranker,
  type Tool,
  type ToolInvocation,
} from "@planloom/plugin/effect"
import { languageOf } from "@planloom/plugin/texts"
import { below, inRun } from "@planloom/plugin/segments"
import { nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"
import { ToolNotes } from "./ToolNotes.ts"
import { ToolProgress } from "./ToolProgress.ts"

export class Invocation implements ToolInvocation {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  readonly entry: Tool | undefined
  private readonly request: ToolCallRequest
  private readonly modelOf: () => ModelClient | undefined
  private reports: ToolProgress | undefined
  private notes: ToolNotes | undefined
  private embedders: Map<string, TextEmbedder | undefined> | undefined
  private rerankers: Map<string, TextReranker | undefined> | undefined

  constructor(
    request: ToolCallRequest,
    modelOf: () => ModelClient | undefined,
    entry: Tool | undefined,
  ) {
    const { inputs, params, tool } = request
    this.tool = tool
    this.params = params
    this.inputs = inputs
    this.entry = entry
    this.request = request
    this.modelOf = modelOf
  }

  get key(): string {
    const { key, site } = this.request
    return inRun(site.run, below(site.path, "tool", key))
  }

  get model(): ModelClient | undefined {
    return this.modelOf()
  }

  get workspace(): string {
    return this.request.site.workspace
  }

  get roots(): ToolInvocation["roots"] {
    return this.request.site.roots
  }

  get user(): JsonObject {
    return this.request.site.user
  }

  get runInputs(): JsonObject {
    return this.request.site.inputs
  }

  get language(): string | undefined {
    const { language, site } = this.request
    return language ?? languageOf(site.user)
  }

  get variant(): ToolInvocation["variant"] {
    return this.request.site.variant
  }

  get index(): ToolInvocation["index"] {
    return this.request.site.toolIndex
  }

  /** One for each id, so that its calls are counted together. */
  get embedder(): NonNullable<ToolInvocation["embedder"]> {
    const { key, site } = this.request
    const known = (this.embedders ??= new Map())
    return (id) => once(known, id, () => site.toolEmbedder(id, key))
  }

  get reranker(): NonNullable<ToolInvocation["reranker"]> {
    const { key, site } = this.request
    const known = (this.rerankers ??= new Map())
    return (id) => once(known, id, () => site.toolReranker(id, key))
  }

  get askNow(): ToolInvocation["askNow"] {
    const { request } = this
    const { site, tool } = request
    return (question) =>
      Effect.mapError(
        site.askNow(question, nameOf(request)),
        (failure) => new ToolFailed({ ...toFailureRecord(failure), tool }),
      )
  }

  get note(): ToolInvocation["note"] {
    return (this.notes ??= new ToolNotes(this.request)).note
  }

  get progress(): ToolInvocation["progress"] {
    return (this.reports ??= new ToolProgress(this.request)).report
  }
}

const once = <A>(known: Map<string, A>, id: string, make: () => A): A => {
  if (!known.has(id)) known.set(id, make())
  return known.get(id)!
}
