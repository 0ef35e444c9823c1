/** Finds the models whose window the known texts of a stage's first request fill nearly or more. */
import { factsOf } from "@planloom/plugin/facts"
import type { Pipeline } from "@planloom/core"
import type { KindWork } from "@planloom/core/internal"

/** Share of a window from which a conversation, a result or a longer input may not fit. */
const NEAR = 0.8

export interface NearWindow {
  /** `provider/model`. */
  readonly model: string
  /** Of the known texts of the request, and of its `max_tokens`. */
  readonly tokens: number
  /** Tokens of the model's window. */
  readonly context: number
}

export const nearWindow = (
  work: KindWork | undefined,
  known: number,
  { facts: given }: Pick<Pipeline, "facts">,
): ReadonlyArray<NearWindow> =>
  (work?.model?.choices ?? []).flatMap(({ name }) => {
    const context = factsOf(name, given)?.context
    if (context === undefined || known === 0) return []
    const tokens = known + (work?.model?.maxTokens ?? 0)
    return tokens >= NEAR * context ? [{ model: name, tokens, context }] : []
  })
