/** One JSON reply as partial values of the outputs that read it, without reasoning and secrets. */
import type * as Salvage from "@planloom/salvage"
import * as Effect from "effect/Effect"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import type { ReplyReader } from "./ReplyReader.ts"
import { each, type ResetCause, type Waiting } from "./OutputParts.ts"
import { ReplyFilter, type ReplyOutputs } from "./ReplyFilter.ts"

/** Loaded with the first value that is streamed. */
const salvageModule = loadedOnce(() => import("@planloom/salvage"))

export class ValueParts implements ReplyReader {
  private readonly given: ReplyOutputs
  private readonly schema: JsonSchema
  private filter: ReplyFilter
  private value: Salvage.Stream | undefined
  private cause: ResetCause

  constructor(given: ReplyOutputs, schema: JsonSchema) {
    this.given = given
    this.schema = schema
    this.cause = given.cause
    this.filter = new ReplyFilter(given.redacting)
  }

  open(): Waiting {
    const { message, outputs, parts, redacting } = this.given
    const { cause } = this
    // Unless it is for a correction, a second request is one to another model.
    this.cause = "fallback"
    this.filter = new ReplyFilter(redacting)
    return Effect.flatMap(salvageModule(), ({ stream }) => {
      this.value = stream(this.schema)
      return each(outputs, (output) => parts.open(output, message, cause)) ?? Effect.void
    })
  }

  /** The next request is for a correction of the reply. */
  correct(): void {
    this.cause = "retry"
  }

  push(raw: string): Waiting {
    const text = this.filter.push(raw)
    const { value } = this
    if (text === "" || value === undefined) return undefined
    value.push(text)
    const { outputs, parts } = this.given
    // Only a value that is read is computed.
    return each(outputs, (output) =>
      parts.value(output, () => (value.partial().value ?? null) as Json),
    )
  }
}
