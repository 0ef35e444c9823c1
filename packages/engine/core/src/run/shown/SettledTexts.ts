/** Texts of a run that have passed a gate: shown again, they are not reviewed again. */
import * as Effect from "effect/Effect"
import type { Gate, Reviewed } from "@planloom/plugin/effect"

export class SettledTexts {
  private readonly texts = new Map<Gate, Set<string>>()
  private readonly reviews = new Map<string, Reviewed>()

  add(gate: Gate, text: string): void {
    const known = this.texts.get(gate)
    if (known === undefined) this.texts.set(gate, new Set([text]))
    else known.add(text)
  }

  /** The texts of a value have one request: its reviewers are asked once. `about`: a digest of the reviewer and its draft. */
  review(about: string, made: Effect.Effect<Reviewed>): Effect.Effect<Reviewed> {
    return Effect.suspend(() => {
      const known = this.reviews.get(about)
      return known === undefined
        ? Effect.tap(made, (reviewed) => Effect.sync(() => void this.reviews.set(about, reviewed)))
        : Effect.succeed(known)
    })
  }

  has(gate: Gate, text: string): boolean {
    return this.texts.get(gate)?.has(text) === true
  }
}
