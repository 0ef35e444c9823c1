/** Answers questions of a run while it waits, for example by asking the person at the terminal. */
import type { Effect } from "effect/Effect"
import type { Json, Wait } from "@planloom/plugin/effect"

/**
 * Returns undefined when no answer is available now. An answer must fit the wait's schema. In a recorded run it is
 * interrupted when another process records an answer first, or the question expires.
 */
export type AnswerNow = (wait: Wait) => Effect<Json | undefined>
