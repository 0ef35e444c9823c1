/** Notes of a tool call for operators: bounded in number and size. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { oneLine } from "./summaryOf.ts"
import type { ToolCallRequest } from "./ToolCallRequest.ts"

/** Notes of one call. */
const MAX_NOTES = 100

/** Of a note as JSON. */
const MAX_CHARACTERS = 4000

export class ToolNotes {
  private readonly request: ToolCallRequest
  private notes = 0

  constructor(request: ToolCallRequest) {
    this.request = request
  }

  /** Drops those that are too many. */
  readonly note: ToolInvocation["note"] = (note, data, text) =>
    Effect.sync(() => {
      if (++this.notes > MAX_NOTES) return
      const { site } = this.request
      site.emit({
        type: "Noted",
        path: site.path,
        stage: site.stage,
        note,
        data: cut(data),
        audience: "operator",
        ...(text === undefined ? {} : { text: oneLine(text) }),
      })
    })
}

const cut = (data: Json): Json => {
  const text = JSON.stringify(data) ?? ""
  return text.length <= MAX_CHARACTERS ? data : `${text.slice(0, MAX_CHARACTERS)}…`
}
