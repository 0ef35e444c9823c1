/** A call without a workflow around it: the embedded index, and a signal that never aborts. */
import { embedded } from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import type { FileCall } from "../src/FileCall.ts"

export const call: FileCall = {
  index: (documents) => embedded.build(documents),
  signal: new AbortController().signal,
  run: (work) => Effect.runPromise(work),
}
