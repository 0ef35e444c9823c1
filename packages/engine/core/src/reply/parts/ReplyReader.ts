/** Reader of a reply while the model writes it. */
import type { Effect } from "effect/Effect"

/** Where a function returns an effect, the provider is read no further until it has ended. */
export interface ReplyReader {
  /** Called before each request, also to the next model after a failure: what was read before is void. */
  readonly open: () => Effect<void> | undefined
  /** Called with each new text, raw as the provider gives it. */
  readonly push: (text: string) => Effect<void> | undefined
}
