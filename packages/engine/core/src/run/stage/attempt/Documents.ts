/** The documents of a workflow as one attempt reads them: each by one call of its tool, on record as every call. */
import * as Effect from "effect/Effect"
import { StageFailed, type Failure, type Json, type JsonObject } from "@planloom/plugin/effect"
import { cleanText } from "@planloom/plugin/clean"
import { isObject } from "@planloom/schema"
import type { PipelineDocument } from "../../../pipeline/Pipeline.ts"
import { tryEvaluate } from "../tryEvaluate.ts"
import { noteCutDocument } from "./promptNotes.ts"
import type { ModelSite } from "./ModelSite.ts"

/** The longest text of a document that expressions and prompts get. */
const MAX_DOCUMENT_CHARS = 200_000

export class Documents {
  private readonly site: ModelSite
  private readonly started = new Map<string, Effect.Effect<string, Failure>>()
  private readonly texts: { [name: string]: string } = {}

  constructor(site: ModelSite) {
    this.site = site
  }

  /** All that were read until then. Asks at the same time share one call of each document. */
  read(names: ReadonlySet<string> | "all"): Effect.Effect<JsonObject, Failure> {
    const { documents } = this.site.frame.pipeline
    const wanted = [...documents].filter(([name]) => names === "all" || names.has(name))
    const each = Effect.forEach(wanted, ([name, document]) => this.one(name, document), {
      concurrency: "unbounded",
      discard: true,
    })
    return Effect.map(each, () => ({ ...this.texts }))
  }

  private one(name: string, document: PipelineDocument): Effect.Effect<string, Failure> {
    const started = this.started.get(name)
    if (started !== undefined) return started
    return Effect.flatMap(Effect.cached(this.called(name, document)), (shared) => {
      const first = this.started.get(name) ?? shared
      this.started.set(name, first)
      return first
    })
  }

  private called(
    name: string,
    { field, params, tool }: PipelineDocument,
  ): Effect.Effect<string, Failure> {
    return Effect.suspend((): Effect.Effect<string, Failure> => {
      const { site } = this
      const given = tryEvaluate(params.evaluate, site.frame.scope)
      if (given instanceof StageFailed) return Effect.fail(given)
      const call = { tool, params: given as JsonObject, key: `document:${name}` }
      return Effect.flatMap(site.callTool(call), (value) => {
        const whole = textOf(value, field)
        if (whole === undefined) {
          const message = `the document "${name}": the result of "${tool}" has no text "${field}"`
          return Effect.fail(new StageFailed({ class: "invalid_output", message }))
        }
        const text = cleanText(whole, MAX_DOCUMENT_CHARS)
        if (whole.length > MAX_DOCUMENT_CHARS) {
          noteCutDocument(site, name, whole.length, text.length)
        }
        return Effect.succeed((this.texts[name] = text))
      })
    })
  }
}

/** The text under the field; unless one is given, a text, the `text` of an object, or the value as JSON. */
const textOf = (value: Json, field: string | undefined): string | undefined => {
  if (field === undefined && typeof value === "string") return value
  const member = isObject(value) ? value[field ?? "text"] : undefined
  if (typeof member === "string") return member
  return field === undefined ? JSON.stringify(value) : undefined
}
