/** Replaces personal data in texts of the review queue by its kind. */
import * as Effect from "effect/Effect"
import type { PiiFinder } from "@planloom/pii"
import { piiKinds } from "@planloom/pii/kinds"

let loaded: Promise<PiiFinder> | undefined

/** Its tables are loaded with the first item. */
const finder = async (): Promise<PiiFinder> => {
  const { piiFinder } = await import("@planloom/pii")
  return piiFinder({ kinds: piiKinds })
}

export const redactor: Effect.Effect<(text: string) => string> = Effect.promise(async () => {
  const { find } = await (loaded ??= finder())
  return (text: string) => {
    let redacted = ""
    let from = 0
    for (const { end, kind, start } of find(text)) {
      redacted += `${text.slice(from, start)}[${kind}]`
      from = end
    }
    return redacted + text.slice(from)
  }
})
